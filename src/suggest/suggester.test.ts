import { expect, test } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import { id } from '../../test/helpers/graph-samples.js';
import { memoryStores } from '../../test/helpers/memory-stores.js';
import { recordingLogger, served } from '../../test/helpers/ready-discovery.js';
import { noPlannables, toolsBut } from '../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../core/index.js';
import { computeMetrics, KnowledgeGraph } from '../graph/index.js';
import { BindingMemory } from '../planner/index.js';
import { Suggester, type SuggesterPorts } from './suggester.js';

/** Learning is slow on a busy machine. */
const PATIENT = { timeout: 20_000 };

function suggesterOf(changes: Partial<SuggesterPorts> = {}) {
  const log = recordingLogger();
  const graph = new KnowledgeGraph();
  const metrics = computeMetrics(graph);
  const traces: ExecutionTrace[] = [];
  const prospects = {
    likely: [
      { tool: id('a:read'), probability: 0.9 },
      { tool: id('a:other'), probability: 0.05 },
    ],
    similar: [{ id: 'r0', share: 1 }],
    trust: 0.9,
  };
  const asked: string[] = [];
  const suggester = new Suggester({
    graph,
    pairs: new BindingMemory(),
    weigh: async () => prospects,
    weighAgain(run) {
      asked.push(run);
      return prospects;
    },
    traces: () => traces,
    metrics: () => metrics,
    now: () => 0,
    toolOf: toolsBut(),
    serverTools: () => [],
    plannable: noPlannables,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    log,
    ...changes,
  });
  const remember = (from: number, to: number) => {
    for (let place = from; place < to; place++) {
      traces.push(served(`r${place}`, 'read it', ['a:read']));
    }
    suggester.remember(traces);
  };
  return { suggester, log, remember, asked };
}

test('suggested plan states its confidence and its evidence', async () => {
  const { suggester, remember } = suggesterOf();
  remember(0, 1);

  const { members, confidence, evidence } = await suggester.suggest('read it');

  expect(members.map(({ tool }) => tool)).toEqual(['a:read']);
  expect(confidence).toBeGreaterThan(0.5);
  expect(confidence).toBeLessThan(1);
  expect(evidence.similar.map(({ plan }) => plan.id)).toEqual(['r0']);
});

test('empty plan has confidence 0', async () => {
  const nothing = { likely: [], similar: [], trust: 0 };
  const { suggester } = suggesterOf({ weigh: async () => nothing });

  expect(await suggester.suggest('???')).toMatchObject({ members: [], confidence: 0 });
});

test('suggester predicts the next steps only after a first step', async () => {
  const { suggester } = suggesterOf();

  const steps = await suggester.next('read it', [id('a:open')]);

  expect(steps.map(({ tool }) => tool)).toEqual(['a:read', 'a:other']);
  expect(await suggester.next('read it', [])).toEqual([]);
});

test('suggester learns in the background once there are enough executions, one pass at a time', async () => {
  const { suggester, remember, asked } = suggesterOf();
  remember(0, 19);
  suggester.considerLearning();
  expect(asked).toEqual([]);

  remember(19, 30);
  suggester.considerLearning();
  suggester.considerLearning();
  expect(suggester.status.isLearning).toBe(true);
  await expect.poll(() => suggester.status.learned?.examples, PATIENT).toBe(30);

  expect(asked).toHaveLength(30);
  await expect.poll(() => suggester.status.isLearning, PATIENT).toBeUndefined();
  expect(suggester.status.remembered).toBe(30);
});

test('suggester learns again only after enough new executions', async () => {
  const { suggester, remember, asked } = suggesterOf();
  remember(0, 30);
  await suggester.learn();

  remember(30, 49);
  suggester.considerLearning();
  expect(asked).toHaveLength(30);

  remember(49, 50);
  suggester.considerLearning();
  await expect.poll(() => suggester.status.learned?.examples, PATIENT).toBe(50);
});

test('suggester remembers an execution that is added twice only once', () => {
  const { suggester, remember } = suggesterOf();
  remember(0, 5);
  remember(5, 5);

  expect(suggester.status).toMatchObject({ remembered: 5 });
});

test('closing the suggester cancels pending learning without a warning', async () => {
  const gate = deferred<void>();
  const { suggester, remember, log } = suggesterOf({ pause: () => gate.promise });
  remember(0, 30);
  suggester.considerLearning();

  const closing = suggester[Symbol.asyncDispose]();
  gate.resolve();
  await closing;
  suggester.considerLearning();

  expect(suggester.status.learned).toBeUndefined();
  expect(log.warnings).toEqual([]);
});

test('closing the suggester twice is harmless', async () => {
  const { suggester } = suggesterOf();

  await suggester[Symbol.asyncDispose]();

  await expect(suggester[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

test('suggester logs an error during learning and continues to make plans', async () => {
  const { suggester, remember, log } = suggesterOf({
    weighAgain() {
      throw new Error('no memory');
    },
  });
  remember(0, 30);

  suggester.considerLearning();
  await expect.poll(() => log.warnings, PATIENT).toHaveLength(1);

  expect(log.warnings[0]).toMatch(/not learned how to plan.*no memory/);
  expect((await suggester.suggest('read it')).members).toHaveLength(1);
});

test(
  'suggester of a new process uses what the previous one learned, and does not learn it again',
  PATIENT,
  async () => {
    const { ranking } = memoryStores();
    const before = suggesterOf();
    await before.suggester.attach(ranking);
    before.remember(0, 30);
    await before.suggester.learn();

    const { suggester, remember, asked } = suggesterOf();
    await suggester.attach(ranking);
    remember(0, 30);
    suggester.considerLearning();

    expect(suggester.status.isLearning).toBeUndefined();
    expect(asked).toEqual([]);
    expect(suggester.weights).toEqual(before.suggester.weights);
    expect(suggester.status.learned).toEqual(before.suggester.status.learned);
  },
);

test(
  'suggester whose stored weights cannot be read says so and learns from its own past',
  PATIENT,
  async () => {
    const { ranking } = memoryStores();
    ranking.failure = new Error('disk full');
    const { suggester, remember, log } = suggesterOf();

    await suggester.attach(ranking);
    remember(0, 30);
    await suggester.learn();

    expect(suggester.status.learned?.examples).toBe(30);
    expect(log.warnings[0]).toMatch(/weights of plans not loaded.*disk full/);
  },
);
