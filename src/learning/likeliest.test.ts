import { expect, test } from 'vitest';

import { likeliest } from './likeliest.js';

const example = (scores: readonly number[], right: number) => ({
  candidates: scores.map((score) => Float64Array.of(score)),
  isRight: scores.map((_, at) => at === right),
});
const scoresOf = ({ candidates }: ReturnType<typeof likeliest>) => candidates.map(([one]) => one);

test('likeliest keeps the best candidates and the right one, in their order', () => {
  const kept = likeliest(example([1, 5, 0, 4, 2], 2), ([score]) => score!, 2);

  expect(scoresOf(kept)).toEqual([5, 0, 4]);
  expect(kept.isRight).toEqual([false, true, false]);
});

test('likeliest keeps an example with few candidates as it is', () => {
  expect(scoresOf(likeliest(example([1, 5], 0), ([score]) => score!, 2))).toEqual([1, 5]);
});
