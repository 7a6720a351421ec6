/** One entry of a sparse matrix. */
export interface Entry {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

export interface SparseMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly entries: readonly Entry[];
}

export interface SingularVectors {
  /** Largest first. */
  readonly values: readonly number[];
  /** For each value a vector over the rows, and one over the columns. */
  readonly left: readonly Float64Array[];
  readonly right: readonly Float64Array[];
}

const MOST_ROUNDS = 300;
const ENOUGH = 1e-9;

/** The largest singular values with their vectors, by multiplying a few vectors again and again. */
export function singularVectors(
  matrix: SparseMatrix,
  count: number,
  random: () => number,
): SingularVectors {
  let right: readonly Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length: matrix.columns }, () => random() - 0.5),
  );
  orthonormalise(right);
  let squares = right.map(() => 0);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    right = right.map((vector) => multiplyBack(matrix, multiply(matrix, vector)));
    const lengths = orthonormalise(right);
    const change = Math.max(...lengths.map((length, k) => Math.abs(length - squares[k]!)));
    squares = lengths;
    if (change < ENOUGH) break;
  }
  const values = squares.map(Math.sqrt);
  const left = right.map((vector, k) => {
    const image = multiply(matrix, vector);
    return values[k]! > ENOUGH ? image.map((value) => value / values[k]!) : image;
  });
  return { values, left, right };
}

function multiply({ rows, entries }: SparseMatrix, vector: Float64Array): Float64Array {
  const product = new Float64Array(rows);
  for (const { row, column, value } of entries) product[row]! += value * vector[column]!;
  return product;
}

function multiplyBack({ columns, entries }: SparseMatrix, vector: Float64Array): Float64Array {
  const product = new Float64Array(columns);
  for (const { row, column, value } of entries) product[column]! += value * vector[row]!;
  return product;
}

/** Makes vectors of length one at right angles, in place; gives the lengths that were left of them. */
function orthonormalise(vectors: readonly Float64Array[]): number[] {
  return vectors.map((vector, k) => {
    for (const other of vectors.slice(0, k)) subtract(vector, other, dot(vector, other));
    const length = Math.sqrt(dot(vector, vector));
    // What is left of a vector that the others make up is noise.
    for (let i = 0; i < vector.length; i++) vector[i] = length > ENOUGH ? vector[i]! / length : 0;
    return length > ENOUGH ? length : 0;
  });
}

function subtract(from: Float64Array, vector: Float64Array, times: number): void {
  for (let i = 0; i < from.length; i++) from[i]! -= times * vector[i]!;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
