import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, expect, test } from 'vitest';

import { aCapability } from '../../../test/helpers/capability-samples.js';
import { deferred } from '../../../test/helpers/deferred.js';
import {
  type Capability,
  type ExecutionTrace,
  type ExperienceStore,
  type GraphStore,
  silentLogger as log,
  type ToolId,
} from '../../core/index.js';
import { graphOf } from '../graph-of.js';
import { LiveGraph } from './live-graph.js';

const lives: LiveGraph[] = [];

afterEach(async () => {
  for (const live of lives.splice(0)) await live.stop();
});

function createLive(capabilities: () => readonly Capability[] = () => []): LiveGraph {
  const live = new LiveGraph({ log, capabilities });
  lives.push(live);
  return live;
}

let count = 0;
function ran(...tools: readonly string[]): ExecutionTrace {
  return {
    id: `t${count++}`,
    intent: '',
    at: new Date(1_000 + count),
    source: 'live',
    ok: true,
    calls: tools.map((tool) => ({ tool: tool as ToolId, ok: true, ms: 1 })),
    bindings: [],
  };
}

/** Both stores over one list; reading and rebuilding the graph wait for the gate. */
class MemoryGraph implements ExperienceStore {
  readonly rows: ExecutionTrace[] = [];
  /** Executions the stored graph was made of. */
  told: ExecutionTrace[] = [];
  gate: Promise<void> | undefined;
  /** For each rebuild: whether it kept the counts of forgotten executions. */
  readonly keeping: boolean[] = [];

  readonly graph: GraphStore = {
    load: async () => {
      const view = graphOf(this.told);
      await this.gate;
      return view;
    },
    isComplete: async () => this.told.length === this.rows.length,
    rebuild: async (_graphOf, { onProgress, signal, keepsMore } = {}) => {
      this.keeping.push(keepsMore === true);
      onProgress?.(this.rows.length);
      await this.gate;
      signal?.throwIfAborted();
      const differing = this.rows.length - this.told.length;
      this.told = [...this.rows];
      return { executions: this.rows.length, differing };
    },
  };

  async load() {
    return this.rows;
  }

  async count() {
    return this.rows.length;
  }

  async add(traces: readonly ExecutionTrace[]) {
    this.rows.push(...traces);
    this.told.push(...traces);
    return traces.map(({ id }) => id);
  }
}

/** The counts of a graph in order, without derived values. */
function countsOf({ graph }: LiveGraph): readonly string[] {
  const nodes = graph.nodes().map(({ id, calls, runs, failures, repeats, totalMs, lastAt }) => {
    return JSON.stringify([id, calls, failures, repeats, runs, totalMs, lastAt]);
  });
  const edges = graph.edges().map(({ from, to, type, observed, failed, lastAt }) => {
    return JSON.stringify([from, to, type, observed, failed, lastAt]);
  });
  return [...nodes, ...edges].toSorted();
}

function expectSame(live: LiveGraph, traces: readonly ExecutionTrace[]): void {
  const expected = createLive();
  expected.add(traces);
  expect(countsOf(live)).toEqual(countsOf(expected));
}

test('live graph counts stored, earlier and concurrent executions once each', async () => {
  const store = new MemoryGraph();
  await store.add(Array.from({ length: 1_500 }, (_, n) => ran(`a:t${n}`, `b:t${n % 7}`, 'cap:x')));
  const live = createLive();
  const experience = live.guard(store);
  const early = [ran('a:t1', 'b:t1')];
  live.add(early);
  await experience.add(early, graphOf);
  const gate = deferred<void>();
  store.gate = gate.promise;
  const attaching = live.attach(store.graph);
  await turn();

  const late = [ran('a:t2', 'c:late')];
  const adding = experience.add(late, graphOf).then(() => live.add(late));
  await turn();
  expect(store.rows, 'what is added waits for what is read').not.toContain(late[0]);
  gate.resolve();
  await Promise.all([attaching, adding]);

  expectSame(live, store.rows);
});

test('live graph counts edges that would close a cycle only once', async () => {
  const store = new MemoryGraph();
  const nested = (outer: string, inner: string): ExecutionTrace => {
    const { calls, ...rest } = ran(outer, inner);
    return { ...rest, calls: [calls[0]!, { ...calls[1]!, parent: 0 }] };
  };
  await store.add([nested('cap:a', 'cap:b'), nested('cap:b', 'cap:a'), nested('cap:a', 'cap:b')]);
  const live = createLive();
  live.add(store.rows);

  await live.attach(store.graph);

  expectSame(live, store.rows);
  expect(live.graph.refused).toMatchObject([{ from: 'cap:b', to: 'cap:a', observed: 1 }]);
});

test('a store of a version without a graph gets one, and reports its progress', async () => {
  const store = new MemoryGraph();
  store.rows.push(ran('a:x', 'a:y'), ran('a:x'));
  const live = createLive();
  const gate = deferred<void>();
  store.gate = gate.promise;

  const attaching = live.attach(store.graph);
  await expect.poll(() => live.rebuilding).toBe(2);
  gate.resolve();
  await attaching;

  expect(live.rebuilding).toBeUndefined();
  expect(store.told).toEqual(store.rows);
  expectSame(live, store.rows);
});

test('a rebuild makes the graph in memory equal to the stored one', async () => {
  const store = new MemoryGraph();
  const live = createLive();
  const [kept, lost] = [ran('a:x', 'a:y'), ran('a:x', 'a:z')];
  store.rows.push(kept);
  live.add([kept, lost]);

  expect(await live.rebuild(store.graph)).toEqual({ executions: 1, differing: 1 });

  expect(live.graph.node('a:x' as ToolId)?.calls).toBe(1);
});

test('live graph counts executions that are added during a rebuild once each', async () => {
  const store = new MemoryGraph();
  store.rows.push(ran('a:x', 'a:y'), ran('a:x'));
  const live = createLive();
  const experience = live.guard(store);
  const gate = deferred<void>();
  store.gate = gate.promise;
  const attaching = live.attach(store.graph);
  await expect.poll(() => live.rebuilding).toBe(2);

  const meanwhile = [ran('a:x', 'a:z')];
  const added = await experience.add(meanwhile, graphOf);
  live.add(meanwhile);
  gate.resolve();
  await attaching;

  expect(added).toHaveLength(1);
  expect(store.told).toEqual(store.rows);
  expectSame(live, store.rows);
});

test('live graph abandons a rebuild when it is stopped, and lets others add to the store', async () => {
  const store = new MemoryGraph();
  store.rows.push(ran('a:x'));
  const live = createLive();
  const gate = deferred<void>();
  store.gate = gate.promise;
  const attaching = live.attach(store.graph);
  await expect.poll(() => live.rebuilding).toBe(1);

  const stopping = live.stop();
  gate.resolve();
  await Promise.all([stopping, attaching]);

  expect(store.told).toEqual([]);
  expect(await live.guard(store).add([ran('a:y')], graphOf)).toHaveLength(1);
});

test('live graph updates capabilities when their code changes, not when they are used', async () => {
  let capabilities: readonly Capability[] = [aCapability('mine')];
  const live = createLive(() => capabilities);
  live.capabilitiesChanged();
  await turn();
  const { version } = live.graph;
  expect(live.graph.has('cap:mine' as ToolId)).toBe(true);

  const [{ current, ...mine }] = capabilities as [Capability];
  const statistics = { ...current.statistics, uses: current.statistics.uses + 1 };
  capabilities = [{ ...mine, current: { ...current, statistics } }];
  live.capabilitiesChanged();
  await turn();
  expect(live.graph.version).toBe(version);

  capabilities = [];
  live.capabilitiesChanged();
  live.capabilitiesChanged();
  await turn();
  expect(live.graph.has('cap:mine' as ToolId)).toBe(false);
});

test('a rebuild keeps the counts of forgotten executions unless it is forced', async () => {
  const live = createLive();
  const store = new MemoryGraph();
  store.rows.push(ran('a:x'));

  await live.attach(store.graph);
  await live.rebuild(store.graph);
  await live.rebuild(store.graph, { isForced: true });

  expect(store.keeping).toEqual([true, true, false]);
});
