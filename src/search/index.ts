export {
  createPackedIndex,
  createVectorIndex,
  type Neighbour,
  type Similarities,
  type VectorIndex,
} from './vectors/vector-index.js';
export {
  createToolIndex,
  type LexicalScores,
  type SearchHit,
  type SearchOptions,
  type SearchResult,
  type ToolFilter,
  type ToolIndex,
} from './words/tool-index.js';
