export type { WeighedMember } from './choose-members.js';
export type { PlanLink } from './plan-link.js';
export { namedMemberSignals } from './describe-models.js';
export type { Evidence, Likely, Prospects, SimilarPlan } from './evidence.js';
export type { LearnedModels } from './learn-models.js';
export { addMissing, type MissingInput, type MissingOptions } from './missing-steps.js';
export type { AddedPath, PlanShape, Whole } from './plan-shape.js';
export type { NextStep } from './predict-next.js';
export {
  Suggester,
  type SuggesterPorts,
  type SuggesterStatus,
  type Suggestion,
} from './suggester.js';
