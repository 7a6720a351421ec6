import { describe, expect, test } from 'vitest';

import { examplesOf, noPause } from '../../../test/helpers/examples.js';
import { worth } from '../../learning/quality.js';
import { chooseModel } from './choose-model.js';
import { COLD_MODEL, MEMORY_MODEL, SESSION_MODEL } from './model.js';

const options = { pause: noPause };

describe('chooseModel', () => {
  test('fewer than five examples say nothing', async () => {
    expect(await chooseModel(examplesOf({ count: 4, telling: {} }), options)).toBeUndefined();
  });

  test('where memory misleads and learning cannot help, it stays cold', async () => {
    const examples = examplesOf({ count: 15, telling: { words: 1 }, misleading: { vote: 1 } });

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

  test('where learning helps on what it has not seen, it is learned', async () => {
    const examples = examplesOf({ count: 80, telling: { vote: 0.3 }, misleading: { near: 8 } });

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

    expect(await chooseModel(examples, options)).toMatchObject({ kind: 'cold' });
  });

  test('one group alone can be judged, and not learned from', async () => {
    const examples = examplesOf({ count: 30, telling: { vote: 1 }, groupOf: () => 'same' });

    expect((await chooseModel(examples, options))?.kind).toBe('memory');
  });
});
