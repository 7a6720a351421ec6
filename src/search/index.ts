export {
  createToolIndex,
  type LexicalScores,
  type SearchHit,
  type SearchOptions,
  type SearchResult,
  type ToolFilter,
  type ToolIndex,
} from './tool-index.js';
export {
  createPackedIndex,
  createVectorIndex,
  type Neighbour,
  type Similarities,
  type VectorIndex,
} from './vector-index.js';
