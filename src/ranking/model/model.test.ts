import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { probabilityOf } from '../../learning/index.js';
import { namedSignals, type Signal, SIGNALS, signalValues } from '../signals.js';
import { COLD_MODEL, defaultCalibration, MEMORY_MODEL, rankCandidates } from './model.js';

const candidate = (id: string, signals: Partial<Record<Signal, number>>) => ({
  tool: catalogTool(id),
  signals: signalValues(signals),
});

describe('rankCandidates', () => {
  test('best first, equal ones by id, whatever the order they come in', () => {
    const all = [
      candidate('b:x', { words: 1 }),
      candidate('c:x', { words: 0.5 }),
      candidate('a:x', { words: 1 }),
    ];
    const ids = (candidates: typeof all) =>
      rankCandidates(candidates, COLD_MODEL).map(({ tool }) => tool.id as string);

    expect(ids(all)).toEqual(['a:x', 'b:x', 'c:x']);
    expect(ids(all.toReversed())).toEqual(['a:x', 'b:x', 'c:x']);
    expect(ids([])).toEqual([]);
  });

  test('probabilities lie between 0 and 1 and fall with the score', () => {
    const signals = fc.record({
      words: fc.double({ min: 0, max: 1, noNaN: true }),
      meaning: fc.double({ min: -4, max: 8, noNaN: true }),
      vote: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const models = fc.constantFrom(COLD_MODEL, MEMORY_MODEL);
    fc.assert(
      fc.property(fc.array(signals), models, fc.boolean(), (all, model, byMeaning) => {
        const candidates = all.map((one, place) => candidate(`s:t${place}`, one));

        const ranked = rankCandidates(candidates, model, { byMeaning });

        ranked.forEach(({ score, probability }, place) => {
          expect(probability > 0 && probability < 1).toBe(true);
          const before = ranked[place - 1];
          if (!before) return;
          expect(before.score >= score && before.probability >= probability).toBe(true);
        });
      }),
    );
  });

  test('a tool that is named goes before everything words and meaning say', () => {
    const ranked = rankCandidates(
      [
        candidate('a:other', { words: 1, coverage: 1, needWords: 1, meaning: 3 }),
        candidate('b:named', { words: 0.5, named: 1 }),
      ],
      COLD_MODEL,
    );

    expect(ranked[0]?.tool.id).toBe('b:named');
  });
});

test('the cold model knows nothing of experience, the other does', () => {
  const ofMemory: readonly Signal[] = ['vote', 'near', 'pastWords', 'uses', 'needVote', 'company'];
  const [cold, memory] = [COLD_MODEL, MEMORY_MODEL].map(({ weights }) => namedSignals(weights));
  expect(ofMemory.filter((signal) => cold![signal] !== 0)).toEqual([]);
  expect(ofMemory.filter((signal) => memory![signal] <= 0)).toEqual([]);
  expect(
    SIGNALS.filter((signal) => cold![signal] !== 0 && cold![signal] !== memory![signal]),
  ).toEqual([]);
});

test('signals by name and in order are the same', () => {
  const values = Float64Array.from(SIGNALS, (_, at) => at + 1);

  expect(signalValues(namedSignals(values))).toEqual(values);
});

test('among few tools the same score is worth more than among many', () => {
  const probability = (tools: number) => probabilityOf(5, 4, defaultCalibration(tools));

  expect(probability(40)).toBeGreaterThan(probability(5_000));
  expect(defaultCalibration(1)).toEqual(defaultCalibration(100));
});
