export {
  answerLimit,
  type ContextBudget,
  createContextBudget,
  listed,
  type SentKind,
  spend,
} from './context-budget.js';
export {
  describeHit,
  type Detail,
  type ToolMatch,
  type HitStyle,
  type ToolHit,
  type ToolRisk,
} from './describe-hit.js';
export { contentHash, toolText } from './embedded-text.js';
export { shortDescription } from './short-description.js';
