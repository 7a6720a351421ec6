import { expect, test } from 'vitest';

import { aTrace } from '../../../test/conformance/experience-store.js';
import { startPostgres } from '../../../test/helpers/postgres-server.js';
import {
  type ExecutionTrace,
  type ExperienceStore,
  type GraphStore,
  silentLogger,
  type ToolId,
} from '../../core/index.js';
import { graphOf } from '../../graph/graph-of.js';
import { LiveGraph } from '../../graph/live/live-graph.js';
import { createPostgresStore, type Store } from '../../store/index.js';
import { followOthers } from './follow-others.js';

const server = await startPostgres();

test.skipIf(typeof server === 'string')(
  'executions that another gateway adds soon reach graph and memory, each once',
  async () => {
    await using postgres = server as Exclude<typeof server, string>;
    const { url } = postgres;
    await using other = await createPostgresStore({ url, logger: silentLogger });
    await using store = await createPostgresStore({ url, logger: silentLogger });
    await other.experience.add([ran('before')], graphOf);
    const ours = await gatewayOn(store);
    await using _following = ours.follow(50);

    await other.experience.add([ran('theirs-1'), ran('theirs-2')], graphOf);
    await ours.add(ran('ours'));

    await expect
      .poll(() => [...ours.remembered].toSorted(), { timeout: 30_000 })
      .toEqual(['before', 'ours', 'theirs-1', 'theirs-2'].toSorted());
    expect(ours.live.graph.node('s:tool' as ToolId)?.calls).toBe(4);
  },
  60_000,
);

function ran(id: string): ExecutionTrace {
  return aTrace(id, { calls: [{ tool: 's:tool' as ToolId, ok: true, ms: 1 }] });
}

/** The part of a daemon that adds and remembers executions. */
async function gatewayOn(store: Store) {
  const log = silentLogger;
  const live = new LiveGraph({ log, capabilities: () => [] });
  const known = await store.experience.count();
  const experience = live.guard(store.experience);
  const remembered = new Set<string>();
  for (const { id } of await experience.load({ limit: 10 })) remembered.add(id);
  await live.attach(store.graph);
  const remember = async (traces: readonly ExecutionTrace[]) => {
    const added = new Set(await experience.add(traces, graphOf));
    live.add(traces.filter(({ id }) => added.has(id)));
    for (const { id } of traces) remembered.add(id);
  };
  return {
    live,
    remembered,
    add: (trace: ExecutionTrace) => remember([trace]),
    follow: (everyMs: number) => followOthers({ live, store, known, remember, log, everyMs }),
  };
}

/** A store that counts its queries. */
function countingStore() {
  const asked = { counts: 0, loads: 0, failures: 0 };
  const stored: ExecutionTrace[] = [];
  const experience: ExperienceStore = {
    async count() {
      asked.counts += 1;
      if (asked.failures > 0) {
        asked.failures -= 1;
        throw new Error('no connection');
      }
      return stored.length;
    },
    async load({ limit }) {
      asked.loads += 1;
      return stored.slice(-limit);
    },
    async add(traces) {
      stored.push(...traces);
      return traces.map(({ id }) => id);
    },
  };
  const graph: GraphStore = {
    load: async () => graphOf(stored),
    isComplete: async () => true,
    rebuild: async () => ({ executions: stored.length, differing: 0 }),
  };
  return { experience, graph, asked };
}

test('followOthers only reads a count while no other gateway adds executions', async () => {
  const { experience, graph, asked } = countingStore();
  const live = new LiveGraph({ log: silentLogger, capabilities: () => [] });
  await using _following = followOthers({
    live,
    store: { experience, graph },
    known: 0,
    remember: async () => {},
    log: silentLogger,
    everyMs: 1,
  });

  await live.guard(experience).add([ran('ours')], graphOf);

  await expect.poll(() => asked.counts).toBeGreaterThan(5);
  expect(asked.loads).toBe(0);
});

test('followOthers warns when the store fails and retries', async () => {
  const { experience, graph, asked } = countingStore();
  asked.failures = 1;
  const warnings: string[] = [];
  const live = new LiveGraph({ log: silentLogger, capabilities: () => [] });
  const remembered: string[] = [];
  await experience.add([ran('theirs')], graphOf);
  await using _following = followOthers({
    live,
    store: { experience, graph },
    known: 0,
    remember: async (traces) => remembered.push(...traces.map(({ id }) => id)),
    log: { ...silentLogger, warn: (message) => void warnings.push(message) },
    everyMs: 1,
  });

  await expect.poll(() => remembered).toEqual(['theirs']);

  expect(warnings).toEqual(['cannot read what other gateways added']);
  expect(live.graph.node('s:tool' as ToolId)?.calls).toBe(1);
});
