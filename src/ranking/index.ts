export {
  type ToolCandidate,
  type RankingSources,
  type GatherOptions,
  gatherCandidates,
} from './gather-candidates.js';
export { IntentMemory } from './memory/intent-memory.js';
export type { SimilarIntent } from './memory/recall.js';
export { RequestMemory } from './memory/request-memory.js';
export {
  type Choice,
  chooseModel,
  type ChooseOptions,
  MODEL_KINDS,
  type ModelKind,
} from './model/choose-model.js';
export type { Example } from './model/learn-weights.js';
export {
  COLD_MODEL,
  defaultCalibration,
  MEMORY_MODEL,
  type Model,
  rankCandidates,
  type RankedTool,
  SESSION_MODEL,
} from './model/model.js';
export type { Need, PastIntent, Question } from './question.js';
export { REFERENCE_TEXTS } from './reference-texts.js';
export { Reliability } from './reliability.js';
export type { SessionKnowledge, SessionView } from './session-view.js';
export type { TraceSource } from './trace-source.js';
export { namedSignals, type Signal, SIGNALS, signalValues, type SignalValues } from './signals.js';
