import type { ToolVectors } from './tool-vectors.js';

/** What is stored of vectors: names beside, numbers as bytes. */
export interface PackedVectors extends Pick<ToolVectors, 'space' | 'tools'> {
  readonly weights: Uint8Array;
}

/** Dimension and scale come first; the order of bytes is that of the file format, little-endian. */
const HEAD = 2;
const FLOAT_BYTES = 4;

export function packVectors({ space, tools, ...numbers }: ToolVectors): PackedVectors {
  const { centre, scale, biases, residuals } = numbers;
  const all = [centre.length, scale, ...centre, ...biases];
  const weights = new Uint8Array((all.length + residuals.length) * FLOAT_BYTES);
  const view = new DataView(weights.buffer);
  all.forEach((value, at) => view.setFloat32(at * FLOAT_BYTES, value, true));
  residuals.forEach((value, at) => {
    view.setFloat32((all.length + at) * FLOAT_BYTES, value, true);
  });
  return { space, tools, weights };
}

/** Undefined when the numbers are not those of so many tools, or are no numbers. */
export function unpackVectors({ space, tools, weights }: PackedVectors): ToolVectors | undefined {
  const view = new DataView(weights.buffer, weights.byteOffset, weights.byteLength);
  const count = Math.floor(weights.byteLength / FLOAT_BYTES);
  const all = Float32Array.from({ length: count }, (_, at) =>
    view.getFloat32(at * FLOAT_BYTES, true),
  );
  const [dimension = 0, scale = 0] = all;
  const isWhole = dimension > 0 && count === HEAD + dimension + tools.length * (1 + dimension);
  if (!isWhole || !all.every(Number.isFinite)) return undefined;
  const biasesAt = HEAD + dimension;
  const residualsAt = biasesAt + tools.length;
  return {
    space,
    tools,
    scale,
    centre: all.slice(HEAD, biasesAt),
    biases: all.slice(biasesAt, residualsAt),
    residuals: all.slice(residualsAt),
  };
}
