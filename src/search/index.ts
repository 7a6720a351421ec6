export { signature, type SignatureOptions } from './signature.js';
export { shortDescription } from './short-description.js';
export { tokenize } from './tokenize.js';
export {
  createToolIndex,
  type SearchHit,
  type SearchOptions,
  type SearchResult,
  type ToolFilter,
  type ToolIndex,
} from './tool-index.js';
