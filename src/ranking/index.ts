export { type Choice, chooseModel, MODEL_KINDS, type ModelKind } from './choose-model.js';
export {
  type Candidate,
  type Evidence,
  type GatherOptions,
  gatherSignals,
} from './gather-candidates.js';
export { IntentMemory } from './intent-memory.js';
export type { Example } from './learn-weights.js';
export {
  COLD_MODEL,
  defaultCalibration,
  MEMORY_MODEL,
  type Model,
  rank,
  type RankedTool,
  SESSION_MODEL,
} from './model.js';
export type { Need, PastIntent, Question } from './question.js';
export type { SimilarIntent } from './recall.js';
export { REFERENCE_TEXTS } from './reference-texts.js';
export { Reliability } from './reliability.js';
export { RequestMemory } from './request-memory.js';
export type { SessionKnowledge, SessionView } from './session-view.js';
export { namedSignals, type Signal, SIGNALS, signalValues, type SignalValues } from './signals.js';
