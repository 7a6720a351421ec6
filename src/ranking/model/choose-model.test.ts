import { describe, expect, test } from 'vitest';

import { examplesOf, noPause } from '../../../test/helpers/examples.js';
import { worth } from '../../learning/quality.js';
import { SIGNALS } from '../signals.js';
import { chooseModel } from './choose-model.js';
import { COLD_MODEL, MEMORY_MODEL, SESSION_MODEL } from './model.js';

const options = { pause: noPause };

describe('chooseModel', () => {
  test('learned vectors that predict best are used, and the best model without them is kept', async () => {
    const examples = examplesOf({ count: 60, telling: { trained: 1.5 } });

    const choice = await chooseModel(examples, options);

    expect(choice?.kind).toBe('vectors');
    expect(choice?.model.weights[SIGNALS.indexOf('trained')]).toBeGreaterThan(0.3);
    expect(choice?.withoutVectors?.weights[SIGNALS.indexOf('trained')]).toBe(0);
    expect(choice?.gates.at(-1)).toMatchObject({ name: 'vectors', isBetter: true });
  });

  // covers: VEC-GATE
  test('learned vectors from shuffled labels stay off', async () => {
    const noise = examplesOf({ count: 60, telling: { words: 0.3 }, misleading: { trained: 1 } });
    const shuffled = noise.map((one, place) => ({
      ...one,
      candidates: one.candidates.map((_, at) => one.candidates[(at + place * 3) % 10]!),
    }));

    for (const examples of [noise, shuffled]) {
      const choice = await chooseModel(examples, options);
      expect(choice?.kind).not.toBe('vectors');
      expect(choice?.model.weights[SIGNALS.indexOf('trained')]).toBe(0);
      expect(choice?.gates.at(-1)).toMatchObject({ name: 'vectors', isBetter: false });
    }
  });

  // covers: GATE-CONTROL
  test('learned weights stay off if weights that learned from other requests do as well', async () => {
    const examples = examplesOf({ count: 60, telling: { uses: 2, vote: -1 } });
    const isUsual = examples.map((one) => ({
      ...one,
      servedOthers: [one.isRight, one.isRight, one.isRight],
    }));

    const free = await chooseModel(examples, options);
    const judged = await chooseModel(isUsual, options);

    expect(free?.kind).toBe('learned');
    expect(judged?.kind).not.toBe('learned');
    expect(judged?.gates.find(({ name }) => name === 'learned')?.why).toMatch(
      /^not better than control weights/,
    );
  });

  test('chooseModel chooses nothing from fewer than five examples', async () => {
    expect(await chooseModel(examplesOf({ count: 4, telling: {} }), options)).toBeUndefined();
  });

  test('chooseModel stays cold if memory misleads and learning cannot help', async () => {
    const examples = examplesOf({ count: 15, telling: { words: 1 }, misleading: { vote: 2.5 } });

    const choice = await chooseModel(examples, options);

    expect(choice).toMatchObject({ kind: 'cold', examples: 15 });
    expect(choice?.model.weights).toEqual(COLD_MODEL.weights);
  });

  test('chooseModel uses memory if it helps, even with too few examples to learn from', async () => {
    const choice = await chooseModel(examplesOf({ count: 15, telling: { vote: 1 } }), options);

    expect(choice?.kind).toBe('memory');
    expect(choice?.model.weights).toEqual(MEMORY_MODEL.weights);
    expect(worth(choice!.heldOut.memory)).toBeGreaterThan(worth(choice!.heldOut.cold));
  });

  test('chooseModel reports each gate and how well its probabilities came true', async () => {
    const choice = await chooseModel(examplesOf({ count: 40, telling: { vote: 1 } }), options);

    expect(choice?.gates.map(({ name }) => name)).toEqual(['memory', 'session', 'learned']);
    expect(choice?.gates[0]).toMatchObject({ isBetter: true, answers: 40, groups: 40 });
    expect(choice?.gates[0]?.why).toContain('better by');
    expect(choice?.gates[1]).toMatchObject({ isBetter: false, answers: 0 });
    expect(choice?.reliability.count).toBe(400);
  });

  test('chooseModel distinguishes repeated requests from new ones', async () => {
    const examples = examplesOf({ count: 20, telling: {} }).map((one, place) => {
      const { candidates, isRight, wanted } = one;
      const repeated = candidates.map((values, at) => {
        const signals = values.slice();
        if (isRight[at]) signals[SIGNALS.indexOf('repeat')] = 1;
        return signals;
      });
      return place < 5 ? { ...one, repeat: { candidates: repeated, isRight, wanted } } : one;
    });

    const choice = await chooseModel(examples, options);

    expect(choice?.asked.news.requests).toBe(20);
    expect(choice?.asked.repeats).toEqual({ requests: 5, first: 1, reciprocal: 1, recall: 1 });
  });

  test('chooseModel does not adopt learned weights that a few requests support by chance', async () => {
    const kinds: (string | undefined)[] = [];
    for (const count of [20, 30, 40, 50]) {
      kinds.push((await chooseModel(examplesOf({ count, telling: {} }), options))?.kind);
    }

    expect(kinds).not.toContain('learned');
  });

  test('chooseModel adopts learned weights that help on unseen requests', async () => {
    const examples = examplesOf({ count: 80, telling: { vote: 1 }, misleading: { near: 2.5 } });

    const choice = await chooseModel(examples, options);

    expect(choice?.kind).toBe('learned');
    expect(worth(choice!.heldOut.learned)).toBeGreaterThan(worth(choice!.heldOut.memory));
  });

  test('chooseModel uses the session signals only if they help', async () => {
    const telling = examplesOf({ count: 15, telling: { next: 1 } });
    const silent = examplesOf({ count: 15, telling: { vote: 1 } });
    const misleading = examplesOf({ count: 15, telling: { vote: 1 }, misleading: { next: 1 } });

    const [told, unheard, misled] = [
      await chooseModel(telling, options),
      await chooseModel(silent, options),
      await chooseModel(misleading, options),
    ];

    expect(told?.kind).toBe('session');
    expect(told?.model.weights).toEqual(SESSION_MODEL.weights);
    expect(worth(told!.heldOut.session)).toBeGreaterThan(worth(told!.heldOut.memory));
    expect([unheard?.kind, misled?.kind]).toEqual(['memory', 'memory']);
  });

  test('chooseModel adopts no learned weights if no signal is informative', async () => {
    const { kind } = (await chooseModel(examplesOf({ count: 60, telling: {} }), options))!;

    // Another model may win on noise by chance, but weights learned from noise must not.
    expect(kind).not.toBe('learned');
  });

  test('chooseModel works with examples none of whose tools were found', async () => {
    const lost = { candidates: [], isRight: [], wanted: 1 };
    const examples = Array.from({ length: 30 }, (_, place) => ({ ...lost, group: `g${place}` }));

    expect(await chooseModel(examples, options)).toMatchObject({ kind: 'memory' });
  });

  test('chooseModel judges a single group but does not learn from it', async () => {
    const examples = examplesOf({ count: 30, telling: { vote: 1 }, groupOf: () => 'same' });

    expect((await chooseModel(examples, options))?.kind).toBe('memory');
  });
});
