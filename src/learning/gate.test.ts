import { describe, expect, test } from 'vitest';

import { comparePaired, type PairedAnswer, withControls } from './gate.js';

const answers = (gains: readonly number[], groupOf = (at: number) => `g${at}`): PairedAnswer[] =>
  gains.map((gain, at) => ({ group: groupOf(at), simpler: 0.5, candidate: 0.5 + gain }));

describe('comparePaired', () => {
  test('a steady gain over many different requests is significant', () => {
    const verdict = comparePaired(
      answers(Array.from({ length: 40 }, (_, at) => 0.1 + 0.01 * (at % 3))),
    );

    expect(verdict).toMatchObject({ isBetter: true, answers: 40, groups: 40 });
    expect(verdict.gain).toBeCloseTo(0.11, 2);
    expect(verdict.why).toMatch(/^better by \+0\.1\d+ ± 0\.00\d over 40 different requests$/);
  });

  test('a gain within its error is not significant', () => {
    const verdict = comparePaired(answers([1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1]));

    expect(verdict.isBetter).toBe(false);
    expect(verdict.why).toContain('not better beyond chance');
  });

  test('forty repetitions of a request count as one observation', () => {
    const gains = Array.from({ length: 40 }, () => 0.5);

    expect(comparePaired(answers(gains)).isBetter).toBe(true);
    expect(comparePaired(answers(gains, () => 'same'))).toMatchObject({
      isBetter: false,
      groups: 1,
    });
  });

  test('few requests prove nothing, and an empty list does not fail', () => {
    expect(comparePaired(answers([0.5, 0.5, 0.5])).isBetter).toBe(false);
    expect(comparePaired([])).toMatchObject({ isBetter: false, gain: 0, answers: 0 });
  });
});

describe('withControls', () => {
  const better = comparePaired(
    answers(Array.from({ length: 40 }, (_, at) => 0.1 + 0.01 * (at % 3))),
  );
  const equal = comparePaired(
    answers(Array.from({ length: 40 }, (_, at) => 0.01 * ((at % 3) - 1))),
  );

  // covers: GATE-CONTROL
  test('a gain that one control of several has too is refused', async () => {
    const verdict = await withControls(better, async (draw) => (draw === 3 ? equal : better));

    expect(verdict).toMatchObject({ isBetter: false, gain: better.gain });
    expect(verdict.why).toMatch(/^not better than control weights/);
  });

  // covers: GATE-CONTROL
  test('a gain that is not beyond what controls differ by among themselves is refused', async () => {
    const gains = [0.02, 0.05, 0.11];

    const verdict = await withControls(better, async (draw) => ({
      ...better,
      gain: gains[draw - 1]!,
    }));

    expect(verdict).toMatchObject({ isBetter: false });
    expect(verdict.why).toMatch(/where controls differ by 0\.046 among themselves$/);
  });

  test('a gain that no control has is accepted', async () => {
    expect(await withControls(better, async () => better)).toEqual(better);
  });

  test('without a gain no control is learned', async () => {
    let learned = 0;
    const judge = async () => {
      learned += 1;
      return better;
    };

    expect(await withControls(equal, judge)).toEqual(equal);
    expect(learned).toBe(0);
  });
});
