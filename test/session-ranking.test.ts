import { expect, test } from 'vitest';

import type { ExecutionTrace } from '../src/core/index.js';
import { type Discovery, NO_TRAIL } from '../src/discovery/index.js';
import { computeMetrics, graphOf, KnowledgeGraph, SessionGraph } from '../src/graph/index.js';
import { id } from './helpers/past-intent.js';
import { createDiscovery, searchable, served } from './helpers/ready-discovery.js';

const TOOLS = {
  'files:list': 'List what is in a folder',
  'files:open': 'Open a thing',
  'mails:list': 'List what is in the inbox',
  'mails:open': 'Open a thing',
  'notes:open': 'Open a thing',
};

const TIMES = ['today', 'tonight', 'monday', 'tuesday', 'friday', 'spring', 'summer'];
const PEOPLE = ['ann', 'bob', 'cleo', 'dan', 'eve'];

/** Requests in nearly the same words, served by the tool that fits the previous call. */
function sessions(count: number): readonly ExecutionTrace[] {
  return Array.from({ length: count }, (_, place) => {
    const kind = place % 2 === 0 ? 'files' : 'mails';
    const intent = `open the first one ${TIMES[place % 7]} for ${PEOPLE[place % 5]}`;
    return served(`s${place}`, intent, [`${kind}:open`], {
      source: 'live',
      before: [{ tool: id(`${kind}:list`), ok: true }],
    });
  });
}

async function experienced(traces: readonly ExecutionTrace[]): Promise<Discovery> {
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  const metrics = computeMetrics(graph);
  const { discovery } = createDiscovery({
    session: new SessionGraph({
      graph,
      metrics: () => metrics,
      capabilities: () => [],
      now: () => 0,
    }),
  });
  discovery.sync(searchable(TOOLS));
  await discovery.remember(traces);
  await discovery.learn();
  return discovery;
}

async function firstAfter(discovery: Discovery, call: string, ok = true): Promise<string> {
  const trail = { ...NO_TRAIL, called: [{ tool: id(call), ok, at: new Date(0) }] };
  const { tools } = await discovery.weigh('open the first one', { trail });
  return tools[0]!.tool.id;
}

test('ranking of the same words follows the previous call once past sessions show it', async () => {
  const discovery = await experienced(sessions(40));

  expect(['session', 'learned']).toContain(discovery.status.ranking.kind);
  expect(await firstAfter(discovery, 'files:list')).toBe('files:open');
  expect(await firstAfter(discovery, 'mails:list')).toBe('mails:open');
});

test('ranking ignores a previous call that failed', async () => {
  const discovery = await experienced(sessions(40));
  const { tools } = await discovery.weigh('open the first one');

  expect(await firstAfter(discovery, 'mails:list', false)).toBe(tools[0]!.tool.id);
});

test('ranking ignores the previous call if no past session has one', async () => {
  const alone = sessions(40).map(({ before: _before, ...trace }) => trace);
  const discovery = await experienced(alone);

  const { tools } = await discovery.weigh('open the first one');

  expect(discovery.status.ranking.weights).toMatchObject({ related: 0, next: 0 });
  expect(await firstAfter(discovery, 'files:list')).toBe(tools[0]!.tool.id);
  expect(await firstAfter(discovery, 'mails:list')).toBe(tools[0]!.tool.id);
});
