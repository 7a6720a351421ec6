export { ArgumentMemory, type SimilarRun } from './argument-memory.js';
export { BindingMemory, type LearnedFlow, type PairMemory } from './binding-memory.js';
export type { BrokenLink } from './choose-links.js';
export {
  type AmbiguousParameter,
  completePlan,
  type CompletedPlan,
  type CompletePlanOptions,
  type Hole,
  type InferredBinding,
} from './complete-plan.js';
export type { ProposedValue } from './fill-arguments.js';
export { type FilledPlan, fillPlan, type FillPlanOptions } from './fill-plan.js';
export { CONTEXT } from './find-references.js';
export { fillResults, findResults, knownArgs } from './find-results.js';
export { type FlowTask, inferFlow, type InferOptions } from './infer-flow.js';
export { referenceTest } from './is-reference.js';
export { keepArgs, literalArgs, type Mask } from './keep-args.js';
export { observeOutput } from './observe-output.js';
export { orderTasks } from './order-tasks.js';
export { outputValue } from './output-value.js';
export { type ParsedPlan, parsePlan, type ParsePlanOptions } from './parse-plan.js';
export type { PlannableTool } from './plannable-tool.js';
export { readReferences } from './read-references.js';
export { isWhole, templateOf, withSlot } from './text-template.js';
export { TemplateMemory } from './template-memory.js';
export { resolveArgs } from './resolve-args.js';
export { resultKey, type ResultReference } from './result-reference.js';
export type { BindingReason } from './score-binding.js';
export { comparedTexts } from './tool-profile.js';
