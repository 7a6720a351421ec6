import { expect, test } from 'vitest';

import { Matrix, Tape } from '../bench/seed-model/autograd.js';
import { SEED_CONFIG, SeedModel } from '../bench/seed-model/seed-model.js';

function sequence(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const random = sequence(5);
const drawn = (rows: number, columns: number) =>
  new Matrix(
    rows,
    columns,
    Float64Array.from({ length: rows * columns }, () => 2 * random() - 1),
  );

/** The largest difference between a slope and what a small change of its number does to the result. */
function worstSlope(inputs: readonly Matrix[], compute: (tape: Tape) => Matrix): number {
  const weightOf = (at: number) => 1 + (at % 3);
  const lossOf = () => {
    const { values } = compute(new Tape());
    return values.reduce((sum, value, at) => sum + weightOf(at) * value, 0);
  };
  const tape = new Tape();
  const out = compute(tape);
  out.slopes.forEach((_, at) => (out.slopes[at] = weightOf(at)));
  tape.backward();
  let worst = 0;
  for (const input of inputs) {
    for (const [at, value] of input.values.entries()) {
      input.values[at] = value + 1e-5;
      const above = lossOf();
      input.values[at] = value - 1e-5;
      const below = lossOf();
      input.values[at] = value;
      worst = Math.max(worst, Math.abs(input.slopes[at]! - (above - below) / 2e-5));
    }
  }
  return worst;
}

test('slopes of every operation of the bench model agree with numbers', () => {
  const [one, other, row] = [drawn(3, 4), drawn(4, 4), drawn(1, 4)];
  const lists = [[0, 4, 8], [1, 5], [11]];

  const worst = worstSlope([one, other, row], (tape) => {
    const sum = tape.add(tape.multiply(one, other), row);
    const bent = tape.times(tape.relu(sum), tape.sigmoid(sum));
    return tape.sumGroups(tape.times(tape.softmax(sum, lists), bent), 2);
  });

  expect(worst).toBeLessThan(1e-6);
});

test('queries and keys of the heads of the first design never learn: a softmax over one number is 1', () => {
  const model = new SeedModel(6, 4, sequence(3));
  const features = Array.from({ length: 5 }, () => Float64Array.from({ length: 6 }, random));

  const loss = model.learn({ features, right: new Set([2]), pathLength: 3 }, 1, SEED_CONFIG);

  expect(loss).toBeGreaterThan(0);
  expect(model.query.slopes.every((slope) => slope === 0)).toBe(true);
  expect(model.key.slopes.every((slope) => slope === 0)).toBe(true);
  expect(model.value.slopes.some((slope) => slope !== 0)).toBe(true);
});
