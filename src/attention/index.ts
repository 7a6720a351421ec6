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
