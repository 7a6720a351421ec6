import { expect, test } from 'vitest';

import {
  attendedWorld,
  goalTool,
  helpersOf,
  prospectsOf,
} from '../../../test/helpers/attended-world.js';
import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { silentLogger } from '../../core/index.js';
import { KnowledgeGraph } from '../../graph/index.js';
import { BindingMemory } from '../../planner/index.js';
import { memberFeatures, nextFeatures } from '../feature-scores.js';
import { headReasons } from '../members/head-reasons.js';
import { Suggester, type SuggesterPorts } from '../suggester.js';
import { learnModels } from './learn-models.js';
import { replayPlans } from './replay-plans.js';

/** Learning takes its time on a busy machine. */
const PATIENT = { timeout: 120_000 };

/** The same numbers in the same order every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function suggesterOf(changes: Partial<SuggesterPorts> = {}, count = 90) {
  const { traces, ports } = attendedWorld(count);
  const suggester = new Suggester({
    ...ports,
    graph: new KnowledgeGraph(),
    pairs: new BindingMemory(),
    weigh: async (intent) => prospectsOf(Number(intent)),
    traces: () => traces,
    log: silentLogger,
    ...changes,
  });
  suggester.remember(traces);
  return suggester;
}

// covers: ATTENTION-EXPLAINED
test(
  'heads that find what comes with a goal are used, and say which runs they know it from',
  PATIENT,
  async () => {
    const suggester = suggesterOf();
    await suggester.learn();

    const { members, evidence } = await suggester.suggest('4');

    const tools = members.map(({ tool }) => tool as string);
    expect(tools.toSorted()).toEqual([...helpersOf(4), goalTool(4)].toSorted());
    expect(suggester.status.learned?.heads[0]).toMatchObject({ name: 'about', isBetter: true });
    const [helper = ''] = helpersOf(4);
    const [reason] = headReasons(evidence, [id(helper)]).get(id(helper))!;
    expect(reason).toMatchObject({ head: 'about', attended: goalTool(4) });
    expect(reason!.because).toMatch(
      /^the request is about a:goal4 \(0\.\d+\), and 3 of 3 runs about a:goal4 called this$/,
    );
  },
);

// covers: ATTENTION-GATE
test.each([
  ['all goals are as usual', 1],
  ['few goals are usual', 4],
])(
  'no head is used where runs have nothing to do with their requests, and %s',
  PATIENT,
  async (_, skew) => {
    const random = seeded(skew);
    const { traces, ports } = attendedWorld(60, () => Math.floor(30 * random() ** skew));

    const learned = await learnModels(traces, ports);

    expect(learned!.heads.map(({ isBetter }) => isBetter)).toEqual([false, false, false]);
    expect(learned!.models.attention).toBeUndefined();
  },
);

// covers: ATTENTION-GATE
test('a planted run of the own group does not change what a replayed request knows', async () => {
  const { traces, ports } = attendedWorld(60);
  const asked = { ...traces[10]!, group: 'own' };
  const planted = {
    ...served(
      'planted',
      '',
      asked.calls.map(({ tool }) => tool),
    ),
    group: 'own',
  };
  const others = traces.map((trace, place) => (place === 10 ? asked : trace));
  const known = async (all: typeof traces) => {
    const examples = await replayPlans(all, ports);
    const { evidence, members, links, next } = examples.find(({ plan }) => plan.id === asked.id)!;
    const goal = id(goalTool(10));
    const done = next[0]!.done;
    return {
      members,
      links,
      next,
      features: [memberFeatures(evidence)!(goal), nextFeatures(done, evidence)!(goal)],
      runs: [evidence.runs.uses(goal), evidence.runs.anchored('about', goal)],
    };
  };

  const without = await known(others);

  expect(await known([...others, planted])).toEqual(without);
  expect(without.runs).toEqual([1, 1]);
  expect(without.links!.isRight).toContain(true);
  expect(without.next.length).toBeGreaterThan(0);
});

// covers: ATTENTION-COLD
test('a suggester that has learned nothing answers as one without heads, to the byte', async () => {
  const { headPrior: _, ...ports } = attendedWorld(0).ports;
  const plain = suggesterOf({ ...ports, headPrior: () => undefined });
  const cold = suggesterOf();

  for (const goal of ['1', '2', '3']) {
    const { evidence: __, ...answer } = await cold.suggest(goal);
    const { evidence: ___, ...expected } = await plain.suggest(goal);
    expect(JSON.stringify(answer)).toBe(JSON.stringify(expected));
  }
  expect(cold.weights).toEqual(plain.weights);
});

test('heads that the user turns off are out of use at once', PATIENT, async () => {
  const { headPrior } = attendedWorld(0).ports;
  let isOn = true;
  const suggester = suggesterOf({ headPrior: () => (isOn ? headPrior!() : undefined) });
  await suggester.learn();
  const before = await suggester.suggest('4');

  isOn = false;
  const after = await suggester.suggest('4');

  expect(before.evidence.attention).toBeDefined();
  expect(after.evidence.attention).toBeUndefined();
  expect(after.members.every(({ probability }) => probability >= 0)).toBe(true);
  expect(suggester.status.isAttentionOff).toBe(true);
});
