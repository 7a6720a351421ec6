export { createEmbedder, type EmbedderOptions } from './create-embedder.js';
export type { RuntimeChoice } from './onnx-runtime.js';
export type { EmbedderStatus, LocalEmbedder } from './process-embedder.js';
