import { expect, test } from 'vitest';

import { PrioritisedReplay } from './prioritised-replay.js';

function sequence(seed = 1): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Two hard examples among eighteen easy ones. */
function replayOf(alpha?: number): PrioritisedReplay {
  const replay = new PrioritisedReplay(20, {
    random: sequence(),
    ...(alpha !== undefined && { alpha }),
  });
  for (let place = 0; place < 20; place++) replay.update(place, place < 2 ? 4 : 0.1);
  return replay;
}

const shareOfHard = (places: Int32Array) =>
  places.filter((place) => place < 2).length / places.length;

test('replay draws examples with a high loss more often, as the power of their loss', () => {
  const { places } = replayOf().draw(20_000, 0);

  const [hard, easy] = [2 * 4.05 ** 0.6, 18 * 0.15 ** 0.6];
  expect(shareOfHard(places)).toBeCloseTo(hard / (hard + easy), 1);
});

test('replay with alpha 0 draws all examples alike and weighs them alike', () => {
  const { places, weights } = replayOf(0).draw(20_000, 0);

  expect(shareOfHard(places)).toBeCloseTo(0.1, 1);
  expect(new Set(weights)).toEqual(new Set([1]));
});

test('importance weights undo a part of the preference at first and all of it at the end', () => {
  const replay = replayOf();
  const weighted = (progress: number) => {
    const { places, weights } = replay.draw(40_000, progress);
    const sumOf = (isHard: boolean) =>
      weights.reduce((sum, weight, at) => sum + (places[at]! < 2 === isHard ? weight : 0), 0);
    return sumOf(true) / (sumOf(true) + sumOf(false));
  };

  expect(weighted(1)).toBeCloseTo(0.1, 1);
  expect(weighted(0)).toBeGreaterThan(weighted(1) + 0.1);
});

test('priorities that differ vary, and equal ones do not', () => {
  expect(replayOf().variation).toBeGreaterThan(1);
  expect(new PrioritisedReplay(5, { random: sequence() }).variation).toBe(0);
});
