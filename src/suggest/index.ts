export { planConfidence } from './confidence.js';
export type { Evidence, Likely, Prospects, SimilarPlan } from './evidence.js';
export { namedMemberSignals } from './learn/describe-models.js';
export type { LearnedModels } from './learn/learn-models.js';
export type { PlanLink } from './links/plan-link.js';
export { type HeadReason, headReasons } from './members/head-reasons.js';
export type { WeighedMember } from './members/choose-members.js';
export { withWholes } from './members/whole-capabilities.js';
export { addMissing, type MissingInput, type MissingOptions } from './missing-steps.js';
export type { AddedPath, PlanOutline, Whole } from './plan-outline.js';
export { type SessionMoment, momentText } from './next/moment.js';
export { pastMoments } from './next/past-moments.js';
export type { NextStep } from './next/predict-next.js';
export {
  Suggester,
  type SuggesterPorts,
  type SuggesterStatus,
  type Suggestion,
} from './suggester.js';
