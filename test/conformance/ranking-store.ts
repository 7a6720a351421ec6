import { describe, expect, test } from 'vitest';

import {
  type AlgorithmTrace,
  type RankingModel,
  type RankingStore,
  type RunId,
  serverName,
  toolId,
} from '../../src/core/index.js';

const tool = (name: string) => toolId(serverName('files'), name);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute, 0, 123));

function aDecision(id: string, minute: number, overrides: Partial<AlgorithmTrace> = {}) {
  const decision: AlgorithmTrace = {
    id,
    at: at(minute),
    algorithm: 'discover',
    intent: 'read a file',
    model: 'start',
    weights: { lexical: 0.3, cosine: 0.7 },
    candidates: [
      { tool: tool('zebra'), score: 0.9, signals: { z: 1, a: 1e-9 } },
      { tool: tool('apple'), score: 0.1, signals: {} },
    ],
    shown: 1,
    ...overrides,
  };
  return decision;
}

function aModel(id: string, minute: number, status: RankingModel['status']): RankingModel {
  const parameters = { weights: { z: 1, a: [0.5, null] }, note: 'nul \0, half a pair \ud800' };
  return { id, at: at(minute), parameters, metric: { mrr: 0.7, before: 0.65 }, status };
}

/** What every `RankingStore` must do. The store is empty at first. */
export function describeRankingStore(engine: string, open: () => RankingStore): void {
  const ids = async (limit = 1_000) => (await open().traces({ limit })).map(({ id }) => id);
  const statuses = async () =>
    Object.fromEntries((await open().models({ limit: 100 })).map(({ id, status }) => [id, status]));

  describe(`RankingStore on ${engine}`, () => {
    test('ranking store returns decisions exactly as added, newest first', async () => {
      const outcome = { tool: tool('apple'), place: 2, ok: false };
      const [older, newer] = [aDecision('older', 1), aDecision('newer', 2, { outcome })];

      await open().addTraces([newer, older]);
      await open().addTraces([aDecision('older', 5, { intent: 'changed' })]);
      await open().addTraces([]);

      expect(await open().traces({ limit: 10 })).toEqual([newer, older]);
      expect(await ids(1)).toEqual(['newer']);
    });

    test('ranking store adds a later outcome, and ignores one of an unknown decision', async () => {
      await open().addTraces([aDecision('open', 3)]);
      const outcome = { tool: tool('a\0b'), place: 0, ok: true };

      await open().setOutcome('open', outcome);
      await open().setOutcome('never there', outcome);

      const [decision] = await open().traces({ limit: 1 });
      expect(decision).toEqual(
        aDecision('open', 3, { outcome: { ...outcome, tool: tool('a\uFFFDb') } }),
      );
    });

    test('ranking store keeps verdict and outcome of a plan, and finds decisions by outcome and run', async () => {
      const verdict = { confidence: 0.75, threshold: 0.7, mode: 'suggestion' } as const;
      const plan = aDecision('plan', 5, { algorithm: 'suggest', verdict });
      const run = 'run_0123456789ab' as RunId;
      const outcome = { tool: tool('zebra'), place: 1, ok: true, match: 'partly', run } as const;
      await open().addTraces([plan, aDecision('unjudged', 6), aDecision('whole', 7, { outcome })]);

      await open().setOutcome('plan', { ...outcome, match: 'exact' });

      const judged = await open().traces({ limit: 2, judged: true });
      expect(judged).toEqual([
        aDecision('whole', 7, { outcome }),
        { ...plan, outcome: { ...outcome, match: 'exact' } },
      ]);
      expect(await open().traces({ limit: 9, run })).toEqual(judged);
      expect(await open().traces({ limit: 9, run: 'run_other' as RunId })).toEqual([]);
      expect(await ids(1)).toEqual(['whole']);
    });

    test('ranking store sums up the outcomes of decisions by day and algorithm', async () => {
      const day = (date: number, hour = 12) => new Date(Date.UTC(2026, 9, date, hour));
      const outcome = (place: number, ok = true) => ({ tool: tool('a'), place, ok });
      await open().addTraces([
        aDecision('daily old', 0, { at: day(1), outcome: outcome(1) }),
        aDecision('daily first', 0, { at: day(5, 0), outcome: outcome(1) }),
        aDecision('daily third', 0, { at: day(5, 23), outcome: outcome(3, false) }),
        aDecision('daily none', 0, { at: day(5), outcome: outcome(0) }),
        aDecision('daily open', 0, { at: day(5) }),
        aDecision('daily plan', 0, {
          at: day(6),
          algorithm: 'suggest',
          outcome: { ...outcome(2), match: 'exact' },
        }),
      ]);

      const daily = await open().daily({ since: day(3) });

      const ours = daily.filter(({ day: on }) => on < '2026-11-01');
      expect(ours).toEqual([
        {
          day: '2026-10-05',
          algorithm: 'discover',
          decisions: 3,
          hitAt1: expect.closeTo(1 / 3) as number,
          hitAt3: expect.closeTo(2 / 3) as number,
          mrr: expect.closeTo(4 / 9) as number,
          worked: expect.closeTo(2 / 3) as number,
          plans: 0,
          exactly: 0,
        },
        {
          day: '2026-10-06',
          algorithm: 'suggest',
          decisions: 1,
          hitAt1: 0,
          hitAt3: 1,
          mrr: 0.5,
          worked: 1,
          plans: 1,
          exactly: 1,
        },
      ]);
    });

    test('ranking store replaces characters that PostgreSQL cannot store, and accepts long intents', async () => {
      const intent = `a\0b \ud800 ${'long '.repeat(500_000)}`;
      await open().addTraces([aDecision('odd\0', 8, { intent })]);

      await open().setOutcome('odd\0', { tool: tool('apple'), place: 1, ok: true });

      const [decision] = await open().traces({ limit: 1 });
      expect(decision).toMatchObject({ id: 'odd\uFFFD', outcome: { place: 1 } });
      expect(decision?.intent).toBe(intent.replace('\0', '\uFFFD').replace('\ud800', '\uFFFD'));
    });

    test('ranking store keeps the newest of thousands of decisions when pruned', async () => {
      await open().addTraces(
        Array.from({ length: 1_500 }, (_, index) => aDecision(`n${index}`, 10 + index)),
      );

      await open().prune({ keep: 1_200 });
      expect(await ids(5_000)).toEqual(
        Array.from({ length: 1_200 }, (_, index) => `n${1_499 - index}`),
      );

      await open().prune({ keep: 0 });
      expect(await ids()).toEqual([]);
    });

    test('ranking store has one active model: saving another retires it in the same step', async () => {
      await open().saveModel(aModel('first', 1, 'active'));
      await open().saveModel(aModel('poor', 2, 'rejected'));
      expect(await statuses()).toEqual({ first: 'active', poor: 'rejected' });

      await open().saveModel(aModel('second', 3, 'active'));

      expect(await open().models({ limit: 10 })).toEqual([
        aModel('second', 3, 'active'),
        aModel('poor', 2, 'rejected'),
        aModel('first', 1, 'retired'),
      ]);
      expect(await open().models({ limit: 1 })).toHaveLength(1);
    });

    test('ranking store goes back to a model that was active before', async () => {
      await open().saveModel(aModel('second', 3, 'rolled-back'));
      await open().saveModel(aModel('first', 1, 'active'));

      expect(await statuses()).toEqual({
        first: 'active',
        poor: 'rejected',
        second: 'rolled-back',
      });
    });

    test('ranking store has one active model of plans, and keeps those before it for a rollback', async () => {
      for (const [at, name] of ['p1', 'p2', 'p3', 'p4', 'p5'].entries()) {
        await open().savePlanModel(aModel(name, at, 'active'));
      }
      await open().savePlanModel(aModel('p5', 4, 'rolled-back'));
      await open().savePlanModel(aModel('p4', 5, 'active'));

      expect(await open().planModels()).toEqual([
        aModel('p4', 5, 'active'),
        aModel('p5', 4, 'rolled-back'),
        aModel('p3', 2, 'retired'),
      ]);
    });

    test('ranking store keeps the vectors of the two newest models, byte by byte', async () => {
      const vectorsOf = (model: string, at: number) => ({
        model,
        at: new Date(at),
        space: 'toy',
        tools: [{ id: tool('apple'), hash: 'h1' }],
        weights: new Uint8Array([0, 255, 13, 10, 92, at]),
      });
      expect(await open().vectors('v1')).toBeUndefined();
      for (const [at, model] of ['v1', 'v2', 'v3'].entries()) {
        await open().saveVectors(vectorsOf(model, at));
      }

      expect(await open().vectors('v3')).toEqual(vectorsOf('v3', 2));
      expect(await open().vectors('v2')).toEqual(vectorsOf('v2', 1));
      expect(await open().vectors('v1')).toBeUndefined();
    });

    test('ranking store still has one active model if several are saved at once', async () => {
      await Promise.all(
        ['x', 'y', 'z'].map((id, index) => open().saveModel(aModel(id, 10 + index, 'active'))),
      );

      const active = Object.values(await statuses()).filter((status) => status === 'active');
      expect(active).toHaveLength(1);
    });
  });
}
