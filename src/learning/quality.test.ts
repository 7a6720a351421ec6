import { expect, test } from 'vitest';

import { signalValues } from '../ranking/signals.js';
import { type FoundExample, meanQuality, qualityOf, worth } from './quality.js';

const weights = signalValues({ words: 1 });

/** Candidates in their order, and which of them served. */
function answer(served: readonly boolean[], wanted = served.filter(Boolean).length) {
  const candidates = served.map((_, place) => signalValues({ words: -place }));
  return { candidates, isRight: served, wanted };
}

const measure = (answers: readonly FoundExample[]) =>
  meanQuality(answers.map((one) => qualityOf(one, weights)));

test.each([
  [[true, false], { first: 1, reciprocal: 1, recall: 1 }],
  [[false, true], { first: 0, reciprocal: 0.5, recall: 1 }],
  [[false, false], { first: 0, reciprocal: 0, recall: 0 }],
  [[], { first: 0, reciprocal: 0, recall: 0 }],
])('served %j: %j', (served, quality) => {
  expect(measure([answer(served)])).toEqual(quality);
});

test('what was not found counts, and what comes after ten does not', () => {
  const late = [...Array.from({ length: 10 }, () => false), true];

  expect(measure([answer([true, false], 2)]).recall).toBe(0.5);
  expect(measure([answer(late)])).toEqual({ first: 0, reciprocal: 1 / 11, recall: 0 });
});

test('answers are averaged; none are worth nothing', () => {
  expect(measure([answer([true]), answer([false, true])]).reciprocal).toBe(0.75);
  expect(worth(measure([]))).toBe(0);
  expect(worth(measure([answer([true])]))).toBe(1);
});
