export { calibrate } from './calibrate.js';
export { expectedBest } from './expected-best.js';
export { type ChoiceExample, fitChoice, fitOdds, weigh } from './fit-weights.js';
export { logOdds, sigmoid } from './odds.js';
export { measure, type Quality, worth } from './quality.js';
