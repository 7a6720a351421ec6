/** Trace features on a made-up store with failures: they act where there is something to learn. */
import { describe, expect, test } from 'vitest';

import { failingStore, type FailingStoreOptions } from '../bench/data/failing-store.js';
import { seededRandom } from '../bench/data/seeded-random.js';
import { FeatureMemory, predictPathSuccess, TRACE_FEATURES } from '../src/attention/index.js';
import { computeMetrics, KnowledgeGraph } from '../src/graph/index.js';
import type { Prospects } from '../src/suggest/evidence.js';
import { learnModels } from '../src/suggest/learn/learn-models.js';
import { noPause } from './helpers/examples.js';
import { noPlannables, toolsBut } from './helpers/suggest-evidence.js';

const SIZE = { topics: 24, requestsEach: 4, seed: 1 };

/** Plans learned from a store in which words say only which topic a request is about. */
async function learned(options: Partial<FailingStoreOptions> = {}) {
  const store = failingStore({ ...SIZE, ...options });
  const random = seededRandom(5);
  const said = new Map<string, Prospects>();
  const prospectsOf = (id: string): Prospects => {
    const topic = store.topicOf(id);
    const likely = [
      ...store.rivalsOf(topic).map((tool) => ({ tool, probability: 0.4 + 0.1 * random() })),
      ...(options.kind === 'even' ? [] : [{ tool: store.saveOf(topic), probability: 0.8 }]),
    ].toSorted((one, other) => other.probability - one.probability);
    return { likely, similar: [], trust: 0.5 };
  };
  const models = await learnModels(store.traces, {
    toolOf: toolsBut(),
    serverTools: () => [],
    plannable: noPlannables,
    metrics: () => computeMetrics(new KnowledgeGraph()),
    now: () => store.traces.at(-1)!.at.getTime(),
    pause: noPause,
    weighAgain: (id) => {
      const known = said.get(id) ?? prospectsOf(id);
      said.set(id, known);
      return known;
    },
  });
  return models!;
}

describe('trace features of a store with slow and flaky tools', () => {
  // covers: FEATURES-ACT
  test('trace features choose better members than the same weights without them, beyond chance', async () => {
    const { models, features } = await learned();

    expect(features.members).toMatchObject({ isBetter: true });
    expect(features.members.learned).toBeGreaterThan(features.members.before + 0.02);
    const weightOf = (name: (typeof TRACE_FEATURES)[number]) =>
      models.features!.members![TRACE_FEATURES.indexOf(name)]!;
    expect(weightOf('duration')).toBeLessThan(0);
  });

  // covers: FEATURES-GATE
  test('trace features stay off where requests and the tools that served them are shuffled', async () => {
    const { models, features } = await learned({ kind: 'shuffled' });

    expect(features).toMatchObject({ members: { isBetter: false }, next: { isBetter: false } });
    expect(models).not.toHaveProperty('features');
  });

  // covers: FEATURES-GATE
  test('trace features stay off where all tools are alike', async () => {
    const { models, features } = await learned({ kind: 'even' });

    expect(features).toMatchObject({ members: { isBetter: false }, next: { isBetter: false } });
    expect(models).not.toHaveProperty('features');
  });
});

describe('predictPathSuccess on runs that it has not seen', () => {
  // covers: PATH-SUCCESS
  test('predictPathSuccess is closer to the real outcome of unseen runs than the overall success rate', () => {
    const { traces } = failingStore({ topics: 12, requestsEach: 30, seed: 2 });
    const half = Math.floor(traces.length * 0.6);
    const memory = new FeatureMemory();
    for (const trace of traces.slice(0, half)) memory.add(trace);
    const known = traces.slice(0, half).filter(({ intent }) => intent !== '');
    const usual = known.filter(({ ok }) => ok).length / known.length;

    const judged = traces.slice(half).flatMap(({ intent, calls, ok }) => {
      if (intent === '') return [];
      // A call that failed and was replaced is not a step of the path.
      const kept = calls.filter((call, place) => call.ok || place === calls.length - 1);
      const steps = [...new Set(kept.map(({ tool }) => tool))];
      const { probability } = predictPathSuccess({ steps, links: [] }, memory)!;
      return [{ probability, outcome: ok ? 1 : 0 }];
    });

    const error = (claim: (one: (typeof judged)[number]) => number) =>
      judged.reduce((sum, one) => sum + (claim(one) - one.outcome) ** 2, 0) / judged.length;
    expect(judged.length).toBeGreaterThan(80);
    expect(error(({ probability }) => probability)).toBeLessThan(error(() => usual) * 0.95);
    const mean = judged.reduce((sum, one) => sum + one.probability, 0) / judged.length;
    expect(
      Math.abs(mean - judged.filter(({ outcome }) => outcome).length / judged.length),
    ).toBeLessThan(0.1);
  });
});
