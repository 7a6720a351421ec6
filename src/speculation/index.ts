export {
  type CallPredictorOptions,
  type CallPredictorPorts,
  createCallPredictor,
  type LearningCallPredictor,
} from './predict/call-predictor.js';
export type { CallPredictor, PredictedCall, SessionCall, Situation } from './situation.js';
