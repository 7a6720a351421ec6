import { expect, test } from 'vitest';

import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { createDiscovery } from '../../../test/helpers/ready-discovery.js';
import type { AlgorithmTrace, DecisionOutcome, ToolId } from '../../core/index.js';
import { readParams } from '../params.js';
import { showRankingMetrics } from './metrics.js';
import { rankingMetrics } from './ranking.js';

const tool = 'a:x' as ToolId;

function decision(
  place: number,
  changes: Partial<AlgorithmTrace> = {},
  outcome: Partial<DecisionOutcome> = {},
): AlgorithmTrace {
  return {
    id: 'd',
    at: new Date('2026-11-02T08:00:00Z'),
    algorithm: 'discover',
    intent: 'x',
    model: 'cold',
    weights: { words: 0.3, cosine: -0.7, idle: 0 },
    candidates: [],
    shown: 5,
    outcome: { tool, place, ok: true, ...outcome },
    ...changes,
  };
}

function plan(confidence: number, match: 'exact' | 'partly' | 'none') {
  const verdict = { confidence, threshold: 0.7, mode: 'suggestion' } as const;
  return decision(1, { algorithm: 'suggest', verdict }, { match });
}

test('ranking metrics give hit rates and MRR by algorithm and by model', () => {
  const judged = [
    decision(1),
    decision(2),
    decision(4, { model: 'm' }),
    decision(0, {}, { ok: false }),
  ];

  const { algorithms, decisions } = rankingMetrics(judged, 10);

  expect(decisions).toBe(4);
  expect(algorithms).toEqual([
    {
      algorithm: 'discover',
      decisions: 4,
      hitAt1: 0.25,
      hitAt3: 0.5,
      mrr: 1.75 / 4,
      worked: 0.75,
      isEnough: false,
      models: [
        expect.objectContaining({ model: 'cold', decisions: 3, hitAt1: 1 / 3, mrr: 0.5 }),
        expect.objectContaining({ model: 'm', hitAt3: 0, mrr: 0.25, signals: ['cosine', 'words'] }),
      ],
    },
  ]);
});

test('ranking metrics compare the confidence of plans with how often they are right', () => {
  const plans = [plan(0.9, 'exact'), plan(1, 'partly'), plan(0.6, 'none'), plan(0.7, 'exact')];

  const [suggest] = rankingMetrics(plans, 10).algorithms;

  expect(suggest?.plans).toMatchObject({
    exactly: 0.5,
    partly: 0.25,
    notAtAll: 0.25,
    calibration: { plans: 4, meanConfidence: expect.closeTo(0.8, 9), right: 0.5 },
    bands: [
      { from: 0.5, to: 0.7, plans: 1, right: 0 },
      { from: 0.7, to: 0.85, plans: 1, right: 1 },
      { from: 0.85, to: 1, plans: 2, meanConfidence: 0.95, right: 0.5 },
    ],
  });
});

test('ranking metrics need twenty decisions to be conclusive, and accept none', () => {
  const many = Array.from({ length: 20 }, () => decision(1));

  expect(rankingMetrics(many, 20).algorithms[0]?.isEnough).toBe(true);
  expect(rankingMetrics([], 20)).toEqual({ last: 20, decisions: 0, enough: 20, algorithms: [] });
});

test('ranking metrics read the newest judged decisions, and say why when none are stored', async () => {
  const { discovery } = createDiscovery();
  const daemon = {
    workflows: { tools: { discovery } },
    store: async () => ({ store: undefined, error: 'disk full' }),
  };

  await expect(showRankingMetrics(daemon, {})).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('disk full'),
  });
  expect(() => readParams('metrics-ranking', { last: 0 })).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST' }),
  );

  const stores = memoryStores();
  await discovery.attach(stores);
  const { outcome: _, ...open } = decision(1, { id: 'open' });
  await stores.ranking.addTraces([decision(1, { id: 'old' }), decision(2, { id: 'new' }), open]);
  expect(await showRankingMetrics(daemon, { last: 1 })).toMatchObject({
    decisions: 1,
    algorithms: [{ mrr: 0.5 }],
  });
});
