export { calibrate, type Calibration, claimsOf, probabilityOf } from './calibrate.js';
export { expectedBest } from './expected-best.js';
export { type ChoiceExample, fitChoice, fitOdds, weigh } from './fit-weights.js';
export {
  assignFolds,
  crossFit,
  type CrossFitted,
  fitWithout,
  foldsOf,
  type Grouped,
} from './folds.js';
export {
  AGAINST_CONTROL,
  type Certainty,
  comparePaired,
  CONTROLS,
  type GateVerdict,
  type PairedAnswer,
  withControls,
} from './gate.js';
export { likeliest } from './likeliest.js';
export { mapInSlices } from './map-in-slices.js';
export { type GroupedRequest, NEARLY_EQUAL, nearGroups } from './near-groups.js';
export { logOdds, sigmoid } from './odds.js';
export { oneLessonAtATime } from './one-lesson.js';
export {
  f1,
  type FoundExample,
  mean,
  meanQuality,
  type Quality,
  qualityOf,
  worth,
} from './quality.js';
export {
  type Claim,
  type ReliabilityCurve,
  reliabilityCurve,
  truthOf,
} from './reliability-curve.js';
export { spreadOver } from './spread-over.js';
export {
  CAPABILITY_FROM,
  CAPABILITY_NEEDED,
  CAPABILITY_RELIABLE,
  LEARNED_SHARE,
  LINKED_FROM,
  MISSED_FROM,
  NEARLY_THE_SAME,
  NEXT_FROM,
  SOURCE_FROM,
  SPECULATED_FROM,
  SUGGESTED_FROM,
  SURE,
  SURE_OF_FLOW,
  SURE_OF_OPTIONAL,
  WANTED_BESIDE,
  WORTH_A_HINT,
} from './thresholds.js';
