export { FeatureMemory, type ToolRecord } from './features/feature-memory.js';
export {
  type FeatureValues,
  namedFeatures,
  NO_FEATURES,
  TRACE_FEATURES,
} from './features/feature-names.js';
export {
  type FeatureExample,
  learnFeatures,
  type LearnedFeatures,
} from './features/learn-features.js';
export { type PathSuccess, predictPathSuccess } from './features/path-success.js';
export { type FeatureContext, traceFeatures } from './features/trace-features.js';
export {
  learnToolVectors,
  SIGNAL_PARTS,
  type VectorLesson,
  type VectorRequest,
  type VectorTask,
  type VectorTrainer,
} from './vectors/learn-tool-vectors.js';
export { type PackedVectors, packVectors, unpackVectors } from './vectors/pack-vectors.js';
export {
  type LearnedTool,
  learnedTools,
  type ToolVectors,
  VectorScorer,
} from './vectors/tool-vectors.js';
