import { describe, expect, test } from 'vitest';

import { examplesOf, noPause } from '../../../test/helpers/examples.js';
import { worth } from '../../learning/quality.js';
import { SIGNALS } from '../signals.js';
import { chooseModel } from './choose-model.js';
import { COLD_MODEL, MEMORY_MODEL, SESSION_MODEL } from './model.js';

const options = { pause: noPause };

describe('chooseModel', () => {
  test('learned vectors that tell more than everything else are used, with the best model without beside', async () => {
    const examples = examplesOf({ count: 60, telling: { trained: 1.5 } });

    const choice = await chooseModel(examples, options);

    expect(choice?.kind).toBe('vectors');
    expect(choice?.model.weights[SIGNALS.indexOf('trained')]).toBeGreaterThan(0.3);
    expect(choice?.withoutVectors?.weights[SIGNALS.indexOf('trained')]).toBe(0);
    expect(choice?.gates.at(-1)).toMatchObject({ name: 'vectors', isBetter: true });
  });

  // covers: VEC-GATE
  test('learned vectors of shuffled labels stay off', async () => {
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

  test('fewer than five examples say nothing', async () => {
    expect(await chooseModel(examplesOf({ count: 4, telling: {} }), options)).toBeUndefined();
  });

  test('where memory misleads and learning cannot help, it stays cold', async () => {
    const examples = examplesOf({ count: 15, telling: { words: 1 }, misleading: { vote: 2.5 } });

    const choice = await chooseModel(examples, options);

    expect(choice).toMatchObject({ kind: 'cold', examples: 15 });
    expect(choice?.model.weights).toEqual(COLD_MODEL.weights);
  });

  test('where memory helps, it is listened to, even with too few examples to learn from', async () => {
    const choice = await chooseModel(examplesOf({ count: 15, telling: { vote: 1 } }), options);

    expect(choice?.kind).toBe('memory');
    expect(choice?.model.weights).toEqual(MEMORY_MODEL.weights);
    expect(worth(choice!.heldOut.memory)).toBeGreaterThan(worth(choice!.heldOut.cold));
  });

  test('says what each test found, and how far its probabilities came true', async () => {
    const choice = await chooseModel(examplesOf({ count: 40, telling: { vote: 1 } }), options);

    expect(choice?.gates.map(({ name }) => name)).toEqual(['memory', 'session', 'learned']);
    expect(choice?.gates[0]).toMatchObject({ isBetter: true, answers: 40, groups: 40 });
    expect(choice?.gates[0]?.why).toContain('better by');
    expect(choice?.gates[1]).toMatchObject({ isBetter: false, answers: 0 });
    expect(choice?.reliability.count).toBe(400);
  });

  test('requests that were asked before are told apart from new ones', async () => {
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

  test('a few requests that speak for learned weights by chance do not move to them', async () => {
    const kinds: (string | undefined)[] = [];
    for (const count of [20, 30, 40, 50]) {
      kinds.push((await chooseModel(examplesOf({ count, telling: {} }), options))?.kind);
    }

    expect(kinds).not.toContain('learned');
  });

  test('where learning helps on what it has not seen, it is learned', async () => {
    const examples = examplesOf({ count: 80, telling: { vote: 1 }, misleading: { near: 2.5 } });

    const choice = await chooseModel(examples, options);

    expect(choice?.kind).toBe('learned');
    expect(worth(choice!.heldOut.learned)).toBeGreaterThan(worth(choice!.heldOut.memory));
  });

  test('where what was just called tells, it is listened to, and nowhere else', async () => {
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

  test('where nothing tells, nothing is learned', async () => {
    const { kind } = (await chooseModel(examplesOf({ count: 60, telling: {} }), options))!;

    // Noise may be won by chance, but what was learned from it must not.
    expect(kind).not.toBe('learned');
  });

  test('examples none of whose tools were found are no reason to fail', async () => {
    const lost = { candidates: [], isRight: [], wanted: 1 };
    const examples = Array.from({ length: 30 }, (_, place) => ({ ...lost, group: `g${place}` }));

    expect(await chooseModel(examples, options)).toMatchObject({ kind: 'memory' });
  });

  test('one group alone can be judged, and not learned from', async () => {
    const examples = examplesOf({ count: 30, telling: { vote: 1 }, groupOf: () => 'same' });

    expect((await chooseModel(examples, options))?.kind).toBe('memory');
  });
});
