import { expect, test } from 'vitest';

import { aCapability, aVersion } from '../../../test/helpers/capability-samples.js';
import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import {
  type Capability,
  type ExecutionTrace,
  silentLogger as log,
  type ToolId,
} from '../../core/index.js';
import { LiveGraph } from '../../graph/live/live-graph.js';
import { viewGraph } from './view.js';

const id = (text: string) => text as ToolId;

function ran(...tools: readonly string[]): ExecutionTrace {
  return {
    id: tools.join(),
    intent: '',
    at: new Date('2026-11-02T08:00:00Z'),
    source: 'live',
    ok: true,
    calls: tools.map((tool) => ({ tool: id(tool), ok: true, ms: 5 })),
    bindings: tools.slice(1).map((_, place) => ({ from: place, to: place + 1 })),
  };
}

const backUp = aCapability('backUp', {
  state: { status: 'disabled', reason: 'no more' },
  current: aVersion({
    toolsUsed: [id('files:read'), id('files:write')],
    sequence: ['files:read#1', 'files:write#1'],
  }),
});

function daemonWith(
  traces: readonly ExecutionTrace[],
  {
    capabilities = [],
    listed = [],
  }: { capabilities?: readonly Capability[]; listed?: string[] } = {},
) {
  const graph = new LiveGraph({ log, capabilities: () => capabilities });
  graph.graph.setCapabilities(capabilities);
  graph.add(traces);
  return {
    graph,
    store: async () => ({ store: undefined, error: undefined }),
    catalog: { tools: () => listed.map((one) => catalogTool(one)) },
    workflows: { tools: { capabilities: { list: () => capabilities } } },
  };
}

test('a collapsed view shows a capability as one node with its children', async () => {
  const daemon = daemonWith([ran('web:get', 'files:read', 'files:write')], {
    capabilities: [backUp],
  });

  const { nodes } = await viewGraph(daemon, {});

  expect(nodes.map((node) => node.id).toSorted()).toEqual(['cap:backUp', 'web:get']);
  expect(nodes.find(({ kind }) => kind === 'capability')).toMatchObject({
    label: 'backUp',
    isSetAside: true,
    children: ['files:read', 'files:write'],
  });
});

test('a view of all shows every node, its edges, and tools that nothing called', async () => {
  const daemon = daemonWith([ran('web:get', 'files:read')], { listed: ['web:get', 'mail:send'] });

  const { nodes, edges, total, isCut } = await viewGraph(daemon, { level: 'all' });

  expect(nodes.at(-1)).toMatchObject({ id: 'mail:send', community: -1, calls: 0, server: 'mail' });
  expect(nodes).toHaveLength(3);
  expect(edges[0]).toMatchObject({ from: 'web:get', to: 'files:read', type: 'provides' });
  expect(total.nodes).toBe(3);
  expect(isCut).toBe(false);
});

test('a focused view shows the nodes within the given depth', async () => {
  const daemon = daemonWith([ran('a:1', 'a:2', 'a:3', 'a:4')]);
  const near = async (depth: number) =>
    (await viewGraph(daemon, { focus: 'a:1', depth })).nodes.map((node) => node.id).toSorted();

  expect(await near(1)).toEqual(['a:1', 'a:2']);
  expect(await near(2)).toEqual(['a:1', 'a:2', 'a:3']);
  await expect(viewGraph(daemon, { focus: 'a:9' })).rejects.toThrow('The graph has no "a:9"');
});

test('a view of thousands of tools holds at most the requested number and says so', async () => {
  const traces = Array.from({ length: 1_000 }, (_, i) => ran(`s${i % 20}:t${i}`, `s:u${i}`));
  const daemon = daemonWith(traces);

  const view = await viewGraph(daemon, { level: 'all', limit: 300 });

  expect(view.nodes).toHaveLength(300);
  expect(view.edges.length).toBeLessThanOrEqual(1_800);
  expect(view).toMatchObject({ isCut: true, total: { nodes: 2_000 } });
});
