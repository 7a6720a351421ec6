import { expect, test } from 'vitest';

import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import type { AlgorithmTrace, ToolId } from '../../core/index.js';
import { comparePaired, reliabilityCurve } from '../../learning/index.js';
import { learnedParts } from './learned-parts.js';
import { readCurve, readGates } from './read-learned.js';
import { discoveryClaims, planClaims, showReliability } from './reliability.js';

const verdict = comparePaired(
  Array.from({ length: 20 }, (_, at) => ({ group: `g${at}`, simpler: 0.4, candidate: 0.6 })),
);
const refused = comparePaired([{ group: 'g', simpler: 0.4, candidate: 0.5 }]);
const curve = reliabilityCurve([
  { confidence: 0.9, isRight: true },
  { confidence: 0.2, isRight: false },
]);
const stored = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

const TOOLS = [
  {
    name: 'find_order',
    inputSchema: { type: 'object', properties: { number: { type: 'integer' } } },
    outputSchema: { type: 'object', properties: { order_id: { type: 'string' } } },
  },
  {
    name: 'send_invoice',
    inputSchema: {
      type: 'object',
      properties: { order_id: { type: 'string' } },
      required: ['order_id'],
    },
  },
];

async function daemonWith({ metric = {}, kind = 'cold', plans = {} }) {
  const { workflows, discovery } = await runWorkflows({ tools: TOOLS });
  const { status } = discovery;
  Object.defineProperty(discovery, 'status', {
    value: { ...status, ranking: { ...status.ranking, kind, metric: stored(metric) } },
  });
  Object.defineProperty(workflows.suggester, 'status', { value: { remembered: 0, ...plans } });
  const store = async () => ({ store: undefined, error: undefined });
  return { discovery, workflows, store };
}

test('gates and curves survive a round trip through JSON', () => {
  expect(readGates([stored({ name: 'memory', ...verdict })])).toEqual([
    { name: 'memory', ...verdict },
  ]);
  // With one group the error is infinite, which JSON cannot represent.
  const { error: _error, ...rest } = refused;
  expect(readGates([stored({ name: 'memory', ...refused })])).toEqual([
    { name: 'memory', ...rest },
  ]);
  expect(readCurve(stored(curve))).toEqual(curve);
});

test.each([undefined, null, 7, 'x', {}, [{}], [null], { bins: [] }, { bins: [{}], count: 1 }])(
  'readGates and readCurve ignore what an older build stored (%j)',
  (value) => {
    expect(readGates(value)).toEqual([]);
    expect(readCurve(value)).toBeUndefined();
  },
);

test('a learned part is in use with the reason that its gate gives', async () => {
  const gates = [
    { name: 'memory', ...verdict },
    { name: 'session', ...refused },
  ];
  const learned = {
    gates: [
      { name: 'members', ...verdict },
      { name: 'next', ...refused },
    ],
  };

  const parts = learnedParts(
    await daemonWith({ metric: { gates }, kind: 'memory', plans: { learned } }),
  );

  expect(parts).toMatchObject([
    { part: 'discovery', inUse: 'memory', why: verdict.why, gates: [{}, {}] },
    { part: 'members', inUse: 'learned', why: verdict.why },
    { part: 'links', inUse: 'shipped', why: 'nothing measured yet', gates: [] },
    { part: 'next', inUse: 'shipped', why: refused.why },
    { part: 'confidence', inUse: 'shipped' },
    { part: 'attention', inUse: 'none' },
    { part: 'bindings', inUse: 'shipped' },
    { part: 'vectors', inUse: 'off', why: 'nothing measured yet' },
  ]);
});

test('verdicts stored by model name are gates too, and figures without a verdict are not', async () => {
  const figures = { before: 0.4, learned: 0.6 };
  const heldOut = { members: { ...figures, ...verdict }, links: figures };

  const [, members, links] = learnedParts(await daemonWith({ plans: { learned: { heldOut } } }));

  expect(members).toMatchObject({ inUse: 'learned', gates: [{ name: 'members', ...verdict }] });
  expect(links).toMatchObject({ inUse: 'shipped', gates: [] });
});

test('the largest choice of heads that passed its gate is in use, with all gates listed', async () => {
  const heads = [
    { name: 'about', ...verdict },
    { name: 'heads', ...refused },
  ];

  const attentionOf = async (plans: object) =>
    learnedParts(await daemonWith({ plans })).find(({ part }) => part === 'attention');

  expect(await attentionOf({ learned: { heads } })).toMatchObject({
    inUse: 'about',
    why: verdict.why,
    gates: [{ name: 'about' }, { name: 'heads' }],
  });
  expect(await attentionOf({ isAttentionOff: true })).toMatchObject({ inUse: 'off' });
});

test('the correction of bindings is a learned part with its own gate', async () => {
  const daemon = await daemonWith({});
  const calibration = { bias: -1, slope: 1 };
  const learned = { heldOut: verdict, claims: [{ confidence: 0.4, isRight: false }], calibration };
  Object.defineProperty(daemon.workflows.bindings, 'learned', { value: learned });

  const { parts, claims } = await showReliability(daemon, {});

  expect(parts.find(({ part }) => part === 'bindings')).toEqual({
    part: 'bindings',
    inUse: 'learned',
    why: verdict.why,
    gates: [{ name: 'bindings', ...verdict }],
  });
  expect(claims).toMatchObject([{ kind: 'bindings', curve: { count: 1, shareRight: 0 } }]);
});

test('if the simplest model stays, the reason comes from the best candidate', async () => {
  const gates = [
    { name: 'session', ...refused, gain: -0.2 },
    { name: 'memory', ...refused },
  ];

  const [discovery] = learnedParts(await daemonWith({ metric: { gates } }));

  expect(discovery).toMatchObject({ inUse: 'cold', why: `memory: ${refused.why}` });
});

test('a kind used by default reports its measurement, even if the gate refuses it', async () => {
  const gates = [{ name: 'memory', ...refused }];

  const [discovery] = learnedParts(await daemonWith({ metric: { gates }, kind: 'memory' }));

  expect(discovery).toMatchObject({ why: `used by default; measured: ${refused.why}` });
});

test('parts without a measurement say that nothing was measured yet', async () => {
  for (const { why, gates } of learnedParts(await daemonWith({}))) {
    expect([why, gates]).toEqual(['nothing measured yet', []]);
  }
});

function decision(changes: Partial<AlgorithmTrace>): AlgorithmTrace {
  return {
    id: 'd',
    at: new Date(0),
    algorithm: 'discover',
    intent: 'x',
    model: 'cold',
    weights: {},
    candidates: [{ tool: 'a:x' as ToolId, score: 0.7, signals: {} }],
    shown: 1,
    outcome: { tool: 'a:x' as ToolId, place: 1, ok: true },
    ...changes,
  };
}

const plan = (confidence: number, match: 'exact' | 'partly'): AlgorithmTrace =>
  decision({
    id: `p${confidence}`,
    algorithm: 'suggest',
    verdict: { confidence, threshold: 0.7, mode: 'suggestion' },
    outcome: { tool: 'a:x' as ToolId, place: 1, ok: true, match },
  });

test('a search claims its first tool, and a plan claims exactly its tools', () => {
  const other = { tool: 'a:y' as ToolId, place: 2, ok: true };
  const judged = [
    decision({}),
    decision({ outcome: other }),
    decision({ candidates: [] }),
    plan(0.9, 'exact'),
    plan(0.8, 'partly'),
  ];

  expect(discoveryClaims(judged)).toEqual([
    { confidence: 0.7, isRight: true },
    { confidence: 0.7, isRight: false },
  ]);
  expect(planClaims(judged)).toEqual([
    { confidence: 0.9, isRight: true },
    { confidence: 0.8, isRight: false },
  ]);
});

test('the reliability view has replayed and live claims of searches and plans, and all parts', async () => {
  const daemon = await daemonWith({
    metric: { reliability: curve },
    plans: { learned: { reliability: curve } },
  });
  const stores = memoryStores();
  await daemon.discovery.attach(stores);
  await stores.ranking.addTraces([decision({}), plan(0.9, 'exact')]);
  const flow = { bindings: [{ from: 0, to: 1, field: 'order_id', param: 'order_id' }] };
  await daemon.discovery.remember(
    ['r1', 'r2'].map((id) => served(id, 'x', ['fake:find_order', 'fake:send_invoice'], flow)),
  );

  const { claims, parts } = await showReliability(daemon, {});

  expect(claims.map(({ kind, source, curve: own }) => [kind, source, own.count])).toEqual([
    ['discovery', 'replay', 2],
    ['discovery', 'live', 1],
    ['plans', 'replay', 2],
    ['plans', 'live', 1],
    ['bindings', 'replay', 2],
  ]);
  expect(parts.map(({ part }) => part)).toEqual([
    'discovery',
    'members',
    'links',
    'next',
    'confidence',
    'attention',
    'bindings',
    'vectors',
  ]);
});

test('the reliability view has no live claims without a store, and does not fail', async () => {
  expect((await showReliability(await daemonWith({}), {})).claims).toEqual([]);
});
