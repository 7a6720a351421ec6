export type { AheadActivity } from './ahead/activity.js';
export type { SentAhead } from './ahead/ahead-calls.js';
export type { AheadTool } from './ahead/guard.js';
export { FIXED_THRESHOLDS } from './fixed-thresholds.js';
export { type Offer, offersText } from './offer/choose-offers.js';
export { RepeatPredictor } from './predict/repeat-predictor.js';
export { type ForeseenStep, Foresight } from './foresight.js';
