export { CONTEXT } from './find-references.js';
export { fillResults, findResults, knownArgs } from './find-results.js';
export { referenceTest } from './is-reference.js';
export { keepArgs, literalArgs } from './keep-args.js';
export { orderTasks } from './order-tasks.js';
export { outputValue } from './output-value.js';
export { type ParsedPlan, parsePlan, type ParsePlanOptions } from './parse-plan.js';
export { plainTask } from './plain-task.js';
export { readReferences } from './read-references.js';
export { isDottedPath, parseReference, referenceHead, referenceTo } from './reference.js';
export { replaceReferences } from './replace-references.js';
export { resolveArgs } from './resolve-args.js';
export { resultKey, type ResultReference } from './result-reference.js';
export {
  countSlots,
  fillSlots,
  isWhole,
  literalTexts,
  templateOf,
  withSlot,
} from './text-template.js';
