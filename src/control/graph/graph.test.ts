import { expect, test } from 'vitest';

import {
  type ExecutionTrace,
  type GraphStore,
  silentLogger as log,
  type ToolId,
} from '../../core/index.js';
import { LiveGraph } from '../../graph/live/live-graph.js';
import { graphProgress, rebuildGraph } from './rebuild.js';
import { findPath, showNode } from './show.js';
import { graphStats } from './stats.js';

const id = (text: string) => text as ToolId;

/** Each tool gives its result to the next; the last fails where a mark says so. */
function ran(...tools: readonly string[]): ExecutionTrace {
  return {
    id: tools.join(),
    intent: '',
    at: new Date('2026-11-02T08:00:00Z'),
    source: 'live',
    ok: true,
    calls: tools.map((tool) => ({
      tool: id(tool.replace('!', '')),
      ok: !tool.endsWith('!'),
      ms: 5,
    })),
    bindings: tools.slice(1).map((_, place) => ({ from: place, to: place + 1 })),
  };
}

function daemonWith(...traces: readonly ExecutionTrace[]) {
  const graph = new LiveGraph({ log, capabilities: () => [] });
  graph.add(traces);
  return { graph, store: async () => ({ store: undefined, error: 'disk full' }) };
}

test('graph statistics give the size, the kinds of nodes and edges, and the most central node', async () => {
  const daemon = daemonWith(ran('a:x', 'a:hub'), ran('a:y', 'a:hub'), ran('a:z', 'a:hub!'));

  const stats = await graphStats(daemon);

  expect(stats).toMatchObject({
    nodes: { tool: 4, operation: 0, capability: 0, meta: 0 },
    edges: [
      { type: 'provides', source: 'inferred', count: 3 },
      { type: 'sequence', source: 'inferred', count: 3 },
    ],
    refused: 0,
    isStored: false,
  });
  expect(stats.central).toHaveLength(4);
  expect(stats.central[0]).toMatchObject({
    id: 'a:hub',
    importance: 1,
    calls: 3,
    failures: 1,
  });
});

test('graph statistics of an empty graph are zero', async () => {
  expect(await graphStats(daemonWith())).toMatchObject({ edges: [], central: [], communities: 0 });
});

test('a shown node has its edges in both directions, strongest first, without internal fields', async () => {
  const daemon = daemonWith(ran('a:x', 'a:y', 'a:z'), ran('a:y', 'a:w!'));

  const shown = await showNode(daemon, { id: 'a:y' });

  expect(shown.node).toEqual({
    id: 'a:y',
    kind: 'tool',
    calls: 2,
    failures: 0,
    repeats: 0,
    runs: 2,
    totalMs: 10,
    lastAt: Date.parse('2026-11-02T08:00:00Z'),
  });
  expect(shown.in).toMatchObject([{ type: 'provides' }, { type: 'sequence' }]);
  expect(shown.out).toMatchObject([
    { to: 'a:z', type: 'provides', observed: 1, failed: 0 },
    { to: 'a:z', type: 'sequence' },
    { to: 'a:w', type: 'provides', observed: 0, failed: 1 },
    { to: 'a:w', type: 'sequence' },
  ]);
  expect(Object.keys(shown.out[0]!).toSorted()).toEqual(
    ['from', 'to', 'type', 'source', 'weight', 'observed', 'failed', 'lastAt'].toSorted(),
  );
});

test('the error for an unknown node names the nearest one', async () => {
  const daemon = daemonWith(ran('files:read', 'files:write'));

  await expect(showNode(daemon, { id: 'files:raed' })).rejects.toMatchObject({
    code: 'TOOL_UNKNOWN',
    message: expect.stringContaining('files:read'),
  });
  await expect(showNode(daemonWith(), { id: '' })).rejects.toMatchObject({ code: 'TOOL_UNKNOWN' });
});

test('findPath gives the path between two nodes, their connection, or neither', async () => {
  const daemon = daemonWith(ran('a:x', 'a:y'), ran('a:y', 'a:z'), ran('b:x', 'b:y'));

  const way = await findPath(daemon, { from: 'a:x', to: 'a:z' });
  expect(way).toMatchObject({
    steps: [
      { id: 'a:x', edges: [] },
      { id: 'a:y', edges: [{ type: 'provides' }, { type: 'sequence' }] },
      { id: 'a:z', edges: [{ type: 'provides' }, { type: 'sequence' }] },
    ],
    calls: ['a:x', 'a:y', 'a:z'],
  });
  const back = await findPath(daemon, { from: 'a:z', to: 'a:x' });
  expect(back.steps).toBeUndefined();
  expect(await findPath(daemon, { from: 'a:x', to: 'b:y' })).toEqual({ from: 'a:x', to: 'b:y' });
});

test('a rebuild without a store fails, and progress is empty', async () => {
  const daemon = daemonWith();

  await expect(rebuildGraph(daemon, {})).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: 'disk full',
  });
  expect(await graphProgress(daemon)).toEqual({});
});

test('graph progress counts executions while PML builds the graph of an old store', async () => {
  const daemon = daemonWith();
  let tell: unknown;
  const store: GraphStore = {
    load: async () => ({ nodes: [], edges: [] }),
    isComplete: async () => false,
    rebuild: async (_graphOf, { onProgress } = {}) => {
      onProgress?.(500);
      tell = await graphProgress(daemon);
      return { executions: 500, differing: 0 };
    },
  };

  await daemon.graph.attach(store);

  expect(tell).toEqual({ rebuilding: 500 });
});
