/** How long the nearest vectors take to find, against a plain loop over the same ones. */
import { performance } from 'node:perf_hooks';

import { createVectorIndex } from '../src/search/index.js';
import { seededRandom } from './data/seeded-random.js';
import { createReport, median, type Report, type Row } from './report.js';

const SHAPES = [
  { rows: 2_000, dimension: 384, repeats: 200 },
  { rows: 20_000, dimension: 1_024, repeats: 25 },
  { rows: 100_000, dimension: 384, repeats: 25 },
] as const;
const LIMIT = 20;
const QUERIES = 5;

export async function run(): Promise<Report> {
  return createReport('vectors', SHAPES.flatMap(measure));
}

function measure({ rows, dimension, repeats }: (typeof SHAPES)[number]): readonly Row[] {
  const random = seededRandom(rows);
  const matrix = new Float32Array(rows * dimension);
  const index = createVectorIndex(dimension);
  const vectors = Array.from({ length: rows }, (_, row) => {
    const vector = matrix.subarray(row * dimension, (row + 1) * dimension);
    vector.set(randomUnit(dimension, random));
    return vector;
  });
  const loading = timeOf(() => vectors.forEach((vector, row) => index.set(String(row), vector)));
  const queries = Array.from({ length: QUERIES }, () => randomUnit(dimension, random));
  const exact: number[] = [];
  const plain: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const query = queries[repeat % QUERIES]!;
    exact.push(timeOf(() => index.nearest(query, LIMIT)));
    plain.push(timeOf(() => plainNearest(matrix, query)));
  }
  const name = `${rows} × ${dimension}`;
  const ratio = median(exact) / median(plain);
  return [
    { name: `${name}: load`, value: loading, unit: 'ms' },
    { name: `${name}: plain loop`, value: median(plain), unit: 'ms', n: repeats },
    { name: `${name}: nearest ${LIMIT}`, value: median(exact), unit: 'ms', ratio, n: repeats },
    { name: `${name}: memory`, value: index.bytes / 2 ** 20, unit: 'MiB' },
  ];
}

/** The simplest way: multiply, and keep the best in order. */
function plainNearest(matrix: Float32Array, query: Float32Array): readonly object[] {
  const best: { readonly row: number; readonly similarity: number }[] = [];
  plainProducts(matrix, query).forEach((similarity, row) => {
    if (best.length === LIMIT && similarity <= best[LIMIT - 1]!.similarity) return;
    const place = best.findIndex((other) => other.similarity < similarity);
    best.splice(place < 0 ? best.length : place, 0, { row, similarity });
    best.length = Math.min(best.length, LIMIT);
  });
  return best;
}

function plainProducts(matrix: Float32Array, query: Float32Array): Float32Array {
  const dimension = query.length;
  const products = new Float32Array(matrix.length / dimension);
  for (let row = 0; row < products.length; row++) {
    const start = row * dimension;
    let sum = 0;
    for (let i = 0; i < dimension; i++) sum += query[i]! * matrix[start + i]!;
    products[row] = sum;
  }
  return products;
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function randomUnit(dimension: number, random: () => number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
