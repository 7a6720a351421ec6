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
export { ANCHOR_SIGNALS } from './heads/attend.js';
export { fitHead, type HeadPrior } from './heads/fit-head.js';
export { type AttentionModel, type HeadView, lookWith } from './heads/heads.js';
export { companyOf, type FindAlike, type Lenders } from './heads/votes.js';
export { Hypergraph, type Incidence } from './hypergraph/hypergraph.js';
export { type LevelNode, Levels } from './hypergraph/levels.js';
export { HEAD_NAMES, type HeadName, type RunEdge, runEdge } from './hypergraph/run-edge.js';
