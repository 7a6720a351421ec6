export { DotRows } from './vectors/dot-rows.js';
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
  type SearchResult,
  type ToolFilter,
  type ToolIndex,
  type WordSearchOptions,
} from './words/tool-index.js';
