import { expect, test } from 'vitest';

import { noPause } from '../../../test/helpers/examples.js';
import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { seeded } from '../../../test/helpers/seeded.js';
import { noPlannables, toolsBut } from '../../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../../core/index.js';
import { computeMetrics, KnowledgeGraph } from '../../graph/index.js';
import type { Likely } from '../evidence.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { learnModels } from './learn-models.js';
import { DEFAULT_MODELS, FIXED_MEMBERS } from './models.js';
import type { ReplayPorts } from './replay-plans.js';

/** Learning takes its time on a busy machine. */
const PATIENT = { timeout: 120_000 };
const KINDS = 12;
const kindOf = (place: number) => place % KINDS;
/** Letters only: numbers are values and not words of a request. */
const wordFor = (place: number) =>
  `item${String(place).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;
const flow = { bindings: [{ from: 0, to: 1 }] };

/** Requests of twelve kinds, each served by two tools in sequence. */
function past(count: number, changes: Partial<ExecutionTrace> = {}): readonly ExecutionTrace[] {
  return Array.from({ length: count }, (_, place) => {
    const tools = [`a:get${kindOf(place)}`, `a:put${kindOf(place)}`];
    // Each in different words: the same words count only once as proof.
    const intent = `${wordFor(kindOf(place))} for ${wordFor(place)}`;
    return served(`r${place}`, intent, tools, { ...flow, ...changes });
  });
}

function portsWith(
  likelyOf: (place: number) => Readonly<Record<string, number>>,
  changes: Partial<ReplayPorts> = {},
): ReplayPorts {
  const metrics = computeMetrics(new KnowledgeGraph());
  return {
    toolOf: toolsBut(),
    serverTools: () => [],
    plannable: noPlannables,
    metrics: () => metrics,
    now: () => 0,
    pause: noPause,
    weighAgain(run) {
      const place = Number(run.slice(1));
      // Runs of the two folds that this run is not in.
      const similar = [place + KINDS, place + 2 * KINDS, place - KINDS, place - 2 * KINDS].map(
        (other) => ({ id: `r${other}`, share: 0.25 }),
      );
      const likely = Object.entries(likelyOf(place)).map(([tool, probability]): Likely => {
        return { tool: id(tool), probability };
      });
      return { likely, similar, trust: 1 };
    },
    ...changes,
  };
}

/** The words of every request mislead; only similar runs show what is wanted. */
const misleading = (place: number) => ({
  [`a:wrong${place % 7}`]: 0.9,
  [`a:get${kindOf(place)}`]: 0.2,
  [`a:put${kindOf(place)}`]: 0.2,
});
const clear = (place: number) => ({
  [`a:get${kindOf(place)}`]: 0.98,
  [`a:put${kindOf(place)}`]: 0.98,
  [`a:wrong${place % 7}`]: 0.01,
});

test('learned weights are used if they answer held-out requests better', async () => {
  const learned = await learnModels(past(220), portsWith(misleading));

  expect(learned?.examples).toBe(220);
  expect(learned!.heldOut.members.before).toBeLessThan(0.9);
  expect(learned!.heldOut.members.learned).toBeGreaterThan(0.95);
  expect(learned!.models.members).not.toEqual(DEFAULT_MODELS.members);
});

// covers: GATE-CONTROL
test(
  'a gain from knowing the usual tools alone keeps the gate of members closed',
  PATIENT,
  async () => {
    // Every run calls the same two tools, and a third one that has nothing to do with its request.
    const traces = past(220).map((trace, place) => {
      const tools = ['a:usual', 'a:common', `a:any${(place * 7) % 19}`];
      return { ...trace, calls: tools.map((tool) => ({ tool: id(tool), ok: true })) };
    });
    const nothingTold = (place: number) => ({
      [`a:wrong${place % 7}`]: 0.9,
      'a:usual': 0.2,
      'a:common': 0.2,
    });

    const learned = await learnModels(traces, portsWith(nothingTold));

    const { members } = learned!.heldOut;
    expect(members.gain).toBeGreaterThan(0.1);
    expect(members).toMatchObject({ isBetter: false });
    expect(members.why).toMatch(/^not better than control weights/);
    expect(learned!.models.members).toBe(DEFAULT_MODELS.members);
    const { members: features } = learned!.features;
    expect(features.gain).toBeGreaterThan(0.1);
    expect(features).toMatchObject({ isBetter: false });
    expect(features.why).toMatch(/^not better than control weights/);
  },
);

// covers: GATE-CONTROL
test(
  'links between tools of a run that are drawn at random keep the gate of links closed',
  PATIENT,
  async () => {
    const random = seeded(4);
    const traces = past(120).map((trace, place) => {
      const tools = Array.from({ length: 4 }, (_, at) => `a:tool${(place * 5 + at * 7) % 23}`);
      const from = Math.floor(4 * random());
      const to = (from + 1 + Math.floor(3 * random())) % 4;
      const calls = tools.map((tool) => ({ tool: id(tool), ok: true }));
      return { ...trace, calls, bindings: [{ from, to }] };
    });

    const learned = await learnModels(traces, portsWith(clear));

    expect(learned!.heldOut.links).toMatchObject({ isBetter: false });
    expect(learned!.models.links).toBe(DEFAULT_MODELS.links);
  },
);

// covers: GATE-CONTROL
test(
  'links that follow the order of runs of random tools keep the gate of links closed',
  PATIENT,
  async () => {
    const random = seeded(4);
    const traces = past(120).map((trace) => {
      const tools = new Set<string>();
      while (tools.size < 3) tools.add(`a:tool${Math.floor(23 * random())}`);
      const calls = [...tools].map((tool) => ({ tool: id(tool), ok: true }));
      const bindings = [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
      ];
      return { ...trace, calls, bindings };
    });

    const learned = await learnModels(traces, portsWith(clear));

    expect(learned!.heldOut.links).toMatchObject({ isBetter: false });
  },
);

test('few procedures change the member weights little, however often they ran', async () => {
  const moved = async (kinds: number) => {
    const traces = past(220).filter((_, place) => kindOf(place) < kinds);
    const learned = await learnModels(traces, portsWith(misleading));
    return learned!.heldOut.members.gain;
  };

  expect(await moved(2)).toBeLessThan(await moved(KINDS));
});

test('fixed member weights are not learned', async () => {
  const learned = await learnModels(past(45), portsWith(misleading));

  for (const [at, name] of MEMBER_SIGNALS.entries()) {
    if (!FIXED_MEMBERS.has(name)) continue;
    expect(learned!.models.members[at]).toBe(DEFAULT_MODELS.members[at]);
  }
});

test('learned weights without a gain are not used', async () => {
  const learned = await learnModels(past(45), portsWith(clear));

  expect(learned!.heldOut.members.before).toBe(1);
  expect(learned!.models.members).toBe(DEFAULT_MODELS.members);
});

test('plans that are always wrong lower the confidence in plans', async () => {
  const weighAgain = (run: string) => {
    const likely = [{ tool: id(`a:wrong${Number(run.slice(1)) % 7}`), probability: 0.98 }];
    return { likely, similar: [], trust: 0 };
  };

  const learned = await learnModels(past(45), portsWith(clear, { weighAgain }));

  const { before, learned: after, gain } = learned!.heldOut.confidence;
  expect(after).toBeGreaterThan(before + 0.003);
  expect(gain).toBeGreaterThan(0);
  expect(learned!.models.confidence).not.toEqual(DEFAULT_MODELS.confidence);
  expect(learned!.reliability.shareRight).toBe(0);
});

test.each([1, 5])(
  'verdict on confidence says whether it is in use when every %i. plan is wrong',
  async (every) => {
    const weighAgain = (run: string) => {
      const place = Number(run.slice(1));
      const wanted = place % every === 0 ? { [`a:wrong${place % 7}`]: 0.98 } : clear(place);
      const likely = Object.entries(wanted).map(([tool, probability]) => {
        return { tool: id(tool), probability };
      });
      return { likely, similar: [], trust: 0 };
    };

    const learned = await learnModels(past(45), portsWith(clear, { weighAgain }));

    const { isBetter, gain, why } = learned!.heldOut.confidence;
    expect({ isBetter }).toEqual({
      isBetter: learned!.models.confidence !== DEFAULT_MODELS.confidence,
    });
    expect({ isBetter }).toEqual({ isBetter: gain > 0 });
    expect(why).not.toMatch(isBetter ? /^not/ : /^better/);
  },
);

test('learnModels learns the same from the same executions', async () => {
  const [once, again] = await Promise.all([
    learnModels(past(45), portsWith(misleading)),
    learnModels(past(45), portsWith(misleading)),
  ]);

  expect(again).toEqual(once);
});

test.each([
  ['few executions', past(19), {}],
  ['executions without a request', past(45, { intent: '' }), {}],
  ['executions that failed', past(45, { ok: false }), {}],
  ['requests discovery does not know', past(45), { weighAgain: () => undefined }],
  ['tools that are gone', past(45), { toolOf: () => undefined }],
])('learnModels learns nothing from %s', async (_title, traces, changes) => {
  expect(await learnModels(traces, portsWith(clear, changes))).toBeUndefined();
});

test('runs of one procedure count as one observation, whatever the wording of their requests', async () => {
  const traces = past(108).filter((_, place) => kindOf(place) < 5);

  const learned = await learnModels(traces, portsWith(misleading));

  expect(learned!.heldOut.members).toMatchObject({ isBetter: false, answers: 45, groups: 5 });
  expect(learned!.heldOut.members.why).toMatch(/prove nothing yet/);
  expect(learned!.models.members).toBe(DEFAULT_MODELS.members);
});

test('given weights stay if nothing better is learned', async () => {
  const shipped = { ...DEFAULT_MODELS, members: DEFAULT_MODELS.members.slice() };

  const learned = await learnModels(past(45), { ...portsWith(clear), shipped });

  expect(learned!.models.members).toBe(shipped.members);
});

test('held-out execution never sees what PML learned from its own group', async () => {
  const traces = past(45).map((trace) => ({ ...trace, group: 'all' }));

  const learned = await learnModels(traces, portsWith(misleading));

  // All of them are in one fold, so the other folds have nothing to learn from.
  expect(learned!.models.members).toBe(DEFAULT_MODELS.members);
});

test('a replayed request is weighed without the requests that have the same words', async () => {
  const left = new Map<string, readonly string[]>();
  const ports = portsWith(misleading);
  const twins = past(45).map((trace, place) =>
    place === 7 ? { ...trace, intent: past(45)[3]!.intent } : trace,
  );

  await learnModels(twins, {
    ...ports,
    weighAgain(run, without) {
      left.set(run, without);
      return ports.weighAgain(run, without);
    },
  });

  expect(left.get('r3')).toEqual(['r3', 'r7']);
  expect(left.get('r4')).toEqual(['r4']);
});

test('executions without recorded values teach nothing about links', async () => {
  const learned = await learnModels(past(45, { bindings: [] }), portsWith(misleading));

  expect(learned!.heldOut.links).toMatchObject({ before: 0, learned: 0, answers: 0 });
  expect(learned!.models.links).toBe(DEFAULT_MODELS.links);
});

test('learnModels also learns from runs of a hundred steps', async () => {
  const steps = Array.from({ length: 100 }, (_, place) => `a:step${place}`);
  const traces = past(24).map((trace, place) =>
    place % 4 ? trace : { ...trace, calls: steps.map((tool) => ({ tool: id(tool), ok: true })) },
  );

  const learned = await learnModels(traces, portsWith(clear));

  expect(learned?.examples).toBe(24);
});

test('learnModels pauses repeatedly to let other work go first', async () => {
  let pauses = 0;
  const pause = async () => void pauses++;

  await learnModels(past(30), portsWith(clear, { pause }));

  expect(pauses).toBeGreaterThan(30);
});
