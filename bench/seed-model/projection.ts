/** The main directions of some vectors, by subspace iteration: few numbers that tell most of them. */
export function mainDirections(
  vectors: readonly Float32Array[],
  count: number,
  random: () => number,
): (vector: Float32Array) => Float64Array {
  const dimension = vectors[0]!.length;
  const mean = new Float64Array(dimension);
  for (const vector of vectors)
    vector.forEach((value, at) => (mean[at]! += value / vectors.length));
  const centred = vectors.map((vector) =>
    Float64Array.from(vector, (value, at) => value - mean[at]!),
  );
  let basis: Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length: dimension }, () => random() - 0.5),
  );
  for (let round = 0; round < 5; round++)
    basis = orthogonal(basis.map((own) => turned(own, centred)));
  return (vector) =>
    Float64Array.from(basis, (own) => {
      let sum = 0;
      for (let at = 0; at < dimension; at++) sum += own[at]! * (vector[at]! - mean[at]!);
      return 4 * sum;
    });
}

function turned(direction: Float64Array, vectors: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(direction.length);
  for (const vector of vectors) {
    let product = 0;
    for (let at = 0; at < vector.length; at++) product += vector[at]! * direction[at]!;
    for (let at = 0; at < vector.length; at++) out[at]! += product * vector[at]!;
  }
  return out;
}

/** Gram-Schmidt. */
function orthogonal(basis: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = [];
  for (const own of basis) {
    for (const other of done) {
      const product = own.reduce((sum, value, at) => sum + value * other[at]!, 0);
      for (let at = 0; at < own.length; at++) own[at]! -= product * other[at]!;
    }
    const length = Math.hypot(...own) || 1;
    done.push(own.map((value) => value / length));
  }
  return done;
}
