export type { Episode, EpisodeOutcome, Rung, SpeculationLedger } from './episode.js';
export type { ThresholdTargets } from './ledger/adapt-threshold.js';
export type { CompareIntents } from './ledger/intent-meanings.js';
export type {
  LedgerFigures,
  PredictionFigures,
  ThresholdFigures,
} from './ledger/ledger-figures.js';
export {
  createSpeculationLedger,
  type ForgetRequest,
  type Forgotten,
  type LearningLedger,
  type LedgerOptions,
} from './ledger/learning-ledger.js';
export type { LikelyTool } from './likely-servers.js';
export { UsedServers } from './used-servers.js';
export {
  NO_WARMING,
  type WarmCounts,
  type Warming,
  type WarmReason,
  WarmServers,
} from './warm-servers.js';
export {
  type CallPredictorOptions,
  type CallPredictorPorts,
  createCallPredictor,
  type LearningCallPredictor,
} from './predict/call-predictor.js';
export type { CallPredictor, PredictedCall, SessionCall, Situation } from './situation.js';
export type { AheadActivity } from './ahead/activity.js';
export type { SentAhead } from './ahead/ahead-calls.js';
export type { AheadTool } from './ahead/guard.js';
export { type Offer, offersText } from './offer/choose-offers.js';
export { type ForeseenStep, Foresight, type ForesightParts } from './foresight.js';
