export { argumentConfidence } from './arguments/argument-confidence.js';
export { ArgumentMemory, type SimilarRun } from './arguments/argument-memory.js';
export type { ProposedValue } from './arguments/fill-arguments.js';
export { defaultGuess, withGuesses } from './with-guesses.js';
export { valueAt } from './arguments/fill-nested.js';
export { type FilledPlan, fillPlan, type FillPlanOptions } from './arguments/fill-plan.js';
export { completeAdded } from './complete-added.js';
export { TemplateMemory } from './arguments/template-memory.js';
export { BindingMemory, type LearnedFlow, type PairMemory } from './flow/binding-memory.js';
export {
  type BindingCalibration,
  calibrateBindings,
  calibrated,
} from './flow/calibrate-bindings.js';
export type { BrokenLink } from './flow/choose-links.js';
export {
  type AmbiguousParameter,
  type CompletedPlan,
  completePlan,
  type CompletePlanOptions,
  type Hole,
  type InferredBinding,
} from './flow/complete-plan.js';
export {
  asksFor,
  changesAskedBy,
  changesNamedBy,
  isQuestion,
  isRefused,
} from './fit/asked-work.js';
export { misfitOf } from './fit/capability-fit.js';
export { placedLiterals, unplacedValues } from './fit/named-values.js';
export { type FlowTask, inferFlow, type InferOptions } from './flow/infer-flow.js';
export { learnBindings, type LearnedBindings } from './flow/learn-bindings.js';
export { type BindingClaim, replayBindings } from './flow/replay-bindings.js';
export type { BindingReason } from './flow/score-binding.js';
export { comparedTexts } from './flow/tool-profile.js';
export type { PlannableTool } from './plannable-tool.js';
export { findLiterals } from './literals/intent-literals.js';
export { listedValues } from './literals/listed-values.js';
export type { Literal } from './literals/literal.js';
