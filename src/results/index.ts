export { bytesOf, shortLine } from './cut-text.js';
export { KeptResults, type ResultShelf } from './kept-results.js';
export {
  limitResult,
  previewOf,
  READ_TOOL,
  RESULT_URI,
  type ResultLimits,
} from './limit-result.js';
export { newRunId } from './new-ids.js';
export { loadResult, readResult } from './read-result.js';
export { selectPath } from './select-path.js';
export { takeIntoArgs, takeResults } from './take-results.js';
