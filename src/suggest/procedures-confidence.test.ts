import { expect, test } from 'vitest';

import { noPause } from '../../test/helpers/examples.js';
import { id } from '../../test/helpers/graph-samples.js';
import { recordingLogger, served } from '../../test/helpers/ready-discovery.js';
import { noPlannables, toolsBut } from '../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../core/index.js';
import { computeMetrics, graphOf, KnowledgeGraph } from '../graph/index.js';
import { BindingMemory } from '../planner/index.js';
import type { Likely, Prospects } from './evidence.js';
import { Suggester } from './suggester.js';

interface Procedure {
  readonly tools: readonly string[];
  readonly intents: readonly string[];
}

const CITIES = 'Graz Linz Wels Steyr Salzburg Innsbruck Bregenz Vienna Rome'.split(' ');
const WAYS = ['tell me the weather of', 'how is the weather in', 'look up the weather for'];

/** One procedure that was requested 27 times, each time in other words. */
const WEATHER: Procedure = {
  tools: ['city:find_city', 'city:get_weather'],
  intents: WAYS.flatMap((way) => CITIES.map((city) => `${way} ${city.toLowerCase()} please`)),
};
const OTHERS: readonly Procedure[] = [
  { tools: ['mail:search_mail', 'mail:read_mail'], intents: ['read the mail of ann', 'any mail'] },
  { tools: ['files:list_files'], intents: ['list my files', 'which files are there'] },
  { tools: ['git:list_commits', 'git:show_commit'], intents: ['the last commit', 'show commits'] },
  { tools: ['db:run_query'], intents: ['how many orders are open', 'count the customers'] },
  { tools: ['cal:list_events', 'cal:get_event'], intents: ['my next meeting', 'what is on today'] },
];

/** A suggester that learned from a store of these procedures, as discovery would report them. */
async function learnedFrom(procedures: readonly Procedure[]): Promise<Suggester> {
  const traces: ExecutionTrace[] = procedures.flatMap(({ tools, intents }, kind) =>
    intents.map((intent, place) => served(`r${kind}-${place}`, intent, tools)),
  );
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  const pairs = new BindingMemory();
  for (const trace of traces) pairs.add(trace);
  const metrics = computeMetrics(graph);
  const prospectsFor = (kind: number, without?: string): Prospects => {
    const own = traces.filter(({ id: run }) => run.startsWith(`r${kind}-`) && run !== without);
    const rest = procedures.filter((_, other) => other !== kind).flatMap(({ tools }) => tools);
    const likely: Likely[] = [
      ...procedures[kind]!.tools.map((tool) => ({ tool: id(tool), probability: 0.9 })),
      ...rest.map((tool) => ({ tool: id(tool), probability: 0.01 })),
    ];
    const similar = own
      .slice(0, 5)
      .map(({ id: run }, _, all) => ({ id: run, share: 1 / all.length }));
    return { likely, similar, trust: 0.95 };
  };
  const suggester = new Suggester({
    graph,
    pairs,
    weigh: async () => prospectsFor(0),
    weighAgain: (run) => prospectsFor(Number(run.slice(1).split('-')[0]), run),
    traces: () => traces,
    metrics: () => metrics,
    now: () => 0,
    toolOf: toolsBut(),
    serverTools: () => [],
    plannable: noPlannables,
    pause: noPause,
    log: recordingLogger(),
  });
  suggester.remember(traces);
  await suggester.learn();
  return suggester;
}

test('plan that 27 runs of a mixed store agree on is trusted', async () => {
  const suggester = await learnedFrom([WEATHER, ...OTHERS]);

  const { members, confidence } = await suggester.suggest('what will the weather be in Lech');

  expect(members.map(({ tool }) => tool).toSorted()).toEqual([...WEATHER.tools]);
  for (const { probability } of members) expect(probability).toBeGreaterThan(0.9);
  expect(confidence).toBeGreaterThan(0.85);
});

test('plan without the requested write is not trusted in a store with a single procedure', async () => {
  const suggester = await learnedFrom([WEATHER]);

  const asked = await suggester.suggest('look up the weather of Lech and save it to a file');
  const read = await suggester.suggest('what will the weather be in Lech');

  expect(asked.members.map(({ tool }) => tool).toSorted()).toEqual([...WEATHER.tools]);
  expect(asked.confidence).toBeLessThan(0.5);
  expect(read.confidence).toBeGreaterThan(asked.confidence);
  // All requests so far were the same: that says little about other requests.
  expect(read.confidence).toBeLessThan(0.99);
});

test('plan without the requested change is not trusted in a mixed store either', async () => {
  const suggester = await learnedFrom([WEATHER, ...OTHERS]);

  const { confidence } = await suggester.suggest('look up the weather of Lech and mail it to Ann');

  expect(confidence).toBeLessThan(0.5);
});
