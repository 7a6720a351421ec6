export { calibrate, type Calibration, probabilityOf } from './calibrate.js';
export { expectedBest } from './expected-best.js';
export { type ChoiceExample, fitChoice, fitOdds, weigh } from './fit-weights.js';
export { assignFolds, crossFit, type CrossFitted, foldsOf, type Grouped } from './folds.js';
export { isBetter } from './gate.js';
export { logOdds, sigmoid } from './odds.js';
export { f1, type FoundExample, mean, measure, type Quality, worth } from './quality.js';
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
  SURE_OF_OPTIONAL,
  WANTED_BESIDE,
  WORTH_A_HINT,
} from './thresholds.js';
