/** A loaded model. Lives in the process of the model only. */
export interface Encoder {
  /** What runs it, e.g. `onnxruntime-node`. */
  readonly runtime: string;
  /** Why the preferred runtime does not run it. */
  readonly fallbackReason?: string;
  readonly dimension: number;
  /** A vector of length 1. */
  encode(text: string): Promise<Float32Array>;
}

/** Scales a vector to length 1, in place. */
export function normalizeVector(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}
