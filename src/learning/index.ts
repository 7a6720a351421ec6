export { calibrate, type Calibration, probabilityOf } from './calibrate.js';
export { expectedBest } from './expected-best.js';
export { type ChoiceExample, fitChoice, fitOdds, weigh } from './fit-weights.js';
export { assignFolds, crossFit, type CrossFitted, foldsOf, type Grouped } from './folds.js';
export { isBetter } from './gate.js';
export { logOdds, sigmoid } from './odds.js';
export { f1, type FoundExample, mean, measure, type Quality, worth } from './quality.js';
export { spreadOver } from './spread-over.js';
