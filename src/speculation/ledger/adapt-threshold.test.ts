import { describe, expect, test } from 'vitest';

import { seeded } from '../../../test/helpers/seeded.js';
import {
  adaptThreshold,
  DEFAULT_TARGETS,
  FIRST_STATE,
  FIRST_THRESHOLD,
  type Judged,
  LEAST_THRESHOLD,
  MOST_THRESHOLD,
  type ThresholdState,
  WINDOW,
} from './adapt-threshold.js';

type Made = Omit<Judged, 'request'>;
const judged = (confidence: number, isUseful: boolean): Made => ({ confidence, isUseful });
const many = (count: number, one: Made): Made[] => Array.from({ length: count }, () => one);

/** The threshold after a stream of outcomes, and the predictions it let pass. */
function play(
  stream: readonly Made[],
  from: ThresholdState = FIRST_STATE,
  requestOf = (place: number) => `request ${Math.floor(place / 5)}`,
) {
  let state = from;
  const window: Judged[] = [];
  const states: ThresholdState[] = [];
  const done: Made[] = [];
  for (const [place, one] of stream.entries()) {
    if (!state.isOff && one.confidence >= state.value) done.push(one);
    window.push({ ...one, request: requestOf(place) });
    if (window.length > WINDOW) window.shift();
    state = adaptThreshold(state, window, DEFAULT_TARGETS);
    states.push(state);
  }
  return { state, states, done };
}

describe('adaptThreshold', () => {
  // covers: SPEC-THRESHOLDS
  test('threshold stays unchanged with too few outcomes, whatever they are', () => {
    expect(play(many(19, judged(0.99, false))).state).toBe(FIRST_STATE);
    expect(play(many(19, judged(0.8, true))).state).toBe(FIRST_STATE);
  });

  test('threshold stays unchanged if hardly any prediction reaches it and no lower one pays', () => {
    const stream = Array.from({ length: 200 }, (_, at) => judged(0.3, at % 10 === 0));

    expect(play(stream).state).toBe(FIRST_STATE);
  });

  test('threshold falls when held-back predictions would have been right, but never below the bound', () => {
    const { state, states } = play(many(200, judged(0.75, true)));

    expect(state).toMatchObject({ value: LEAST_THRESHOLD, isOff: false });
    expect(state.why).toMatch(/^lowered: at 0\.70, \d+ of \d+ predictions were useful/);
    expect(states.every(({ value }) => value >= LEAST_THRESHOLD)).toBe(true);
  });

  test('threshold is not lowered by a loop within a single request', () => {
    const loop = many(200, judged(0.75, true));

    expect(play(loop, FIRST_STATE, () => 'the same').state).toBe(FIRST_STATE);
    expect(play(loop).state.value).toBeLessThan(FIRST_THRESHOLD);
  });

  test('threshold rises above wrong predictions, but never beyond the bound', () => {
    const stream = Array.from({ length: 300 }, (_, at) =>
      at % 2 === 0 ? judged(0.93, at % 4 === 0) : judged(0.96, true),
    );

    const { state, states } = play(stream);

    expect(state).toMatchObject({ value: 0.94, isOff: false });
    expect(states.every(({ value }) => value <= MOST_THRESHOLD)).toBe(true);
  });

  test('threshold switches off for a kind of work whose predictions pay at no threshold', () => {
    const random = seeded(7);
    const stream = Array.from({ length: 400 }, () => judged(0.7 + 0.3 * random(), random() < 0.4));

    const { state, done } = play(stream);

    expect(state).toMatchObject({ isOff: true });
    expect(state.why).toMatch(/^off: at 0\.95/);
    expect(done.length, 'few calls are made before it is off').toBeLessThan(40);
  });

  test('threshold switches off after a few very sure wrong predictions if no other threshold pays', () => {
    const stream = Array.from({ length: 100 }, (_, at) =>
      at % 7 === 0 ? judged(0.97, false) : judged(0.5, at % 2 === 0),
    );

    expect(play(stream).state.isOff).toBe(true);
  });

  test('rung that is off returns at the most careful threshold when predictions are right again', () => {
    const { state: off } = play(many(60, judged(0.97, false)));

    const { states } = play(
      [...many(50, judged(0.97, false)), ...many(60, judged(0.97, true))],
      off,
    );

    const back = states.findIndex(({ isOff }) => !isOff);
    expect(states[back]).toMatchObject({ value: MOST_THRESHOLD });
    expect(states[back]!.why).toMatch(/^on again: /);
    expect(back).toBeGreaterThan(85);
  });

  test('threshold keeps wasted calls below their limit even if the useful share is right', () => {
    const strict = { useful: 0.5, waste: 0.1 };
    const window = Array.from({ length: WINDOW }, (_, at) => ({
      ...judged(0.93, at % 3 !== 0),
      request: `r${at}`,
    }));

    expect(adaptThreshold(FIRST_STATE, window, strict).value).toBeGreaterThan(FIRST_THRESHOLD);
    expect(adaptThreshold(FIRST_STATE, window, { ...strict, waste: 0.4 }).value).toBeLessThan(
      FIRST_THRESHOLD,
    );
  });

  test('threshold keeps the useful share near its target over thousands of honest predictions', () => {
    const random = seeded(11);
    const stream = Array.from({ length: 5_000 }, () => {
      const confidence = 0.5 + 0.5 * random();
      return judged(confidence, random() < confidence);
    });

    const { done } = play(stream);

    const share = done.filter(({ isUseful }) => isUseful).length / done.length;
    expect(share).toBeGreaterThan(0.82);
    expect(share).toBeLessThan(0.95);
    expect((done.length * (1 - share)) / stream.length).toBeLessThan(0.1);
  });
});
