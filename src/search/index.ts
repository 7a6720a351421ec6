export { answerLimit, type ContextBudget, createContextBudget, spend } from './context-budget.js';
export type { Detail, ToolHit } from './describe-hit.js';
export { answerTokens, discover, type DiscoverAnswer } from './discover.js';
export type { DiscoverContext, DiscoverRequest } from './find-candidates.js';
export { shortDescription } from './short-description.js';
export { shortType } from './short-type.js';
export { tokenize } from './tokenize.js';
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
