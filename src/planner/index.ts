export { ArgumentMemory, type SimilarRun } from './arguments/argument-memory.js';
export type { ProposedValue } from './arguments/fill-arguments.js';
export { type FilledPlan, fillPlan, type FillPlanOptions } from './arguments/fill-plan.js';
export { TemplateMemory } from './arguments/template-memory.js';
export { BindingMemory, type LearnedFlow, type PairMemory } from './flow/binding-memory.js';
export type { BrokenLink } from './flow/choose-links.js';
export {
  type AmbiguousParameter,
  type CompletedPlan,
  completePlan,
  type CompletePlanOptions,
  type Hole,
  type InferredBinding,
} from './flow/complete-plan.js';
export { type FlowTask, inferFlow, type InferOptions } from './flow/infer-flow.js';
export type { BindingReason } from './flow/score-binding.js';
export { comparedTexts } from './flow/tool-profile.js';
export type { PlannableTool } from './plannable-tool.js';
