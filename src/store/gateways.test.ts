import { once } from 'node:events';

import { expect, test } from 'vitest';

import { forkScript } from '../../test/helpers/fork-script.js';
import { startPostgres } from '../../test/helpers/postgres-server.js';
import { silentLogger as logger } from '../core/index.js';
import { graphOf } from '../graph/index.js';
import { createPostgresStore } from './postgres/postgres-store.js';

const server = await startPostgres();
const RUNS = 60;

test.skipIf(typeof server === 'string')(
  'runs that finish together in several processes are all in the graph, each once',
  async () => {
    await using postgres = server as Exclude<typeof server, string>;
    await using store = await createPostgresStore({ url: postgres.url, logger });
    await using one = forkScript('store/adder.ts', [postgres.url, 'one', String(RUNS)]);
    await using other = forkScript('store/adder.ts', [postgres.url, 'other', String(RUNS)]);
    const gateways = [one.child, other.child];
    await Promise.all(gateways.map((gateway) => once(gateway, 'message')));

    const telling = gateways.map((gateway) => once(gateway, 'message'));
    for (const gateway of gateways) gateway.send('go');
    const rebuilding = store.graph.rebuild(graphOf);
    const added = (await Promise.all(telling)).flatMap(([ids]) => ids as readonly string[]);

    expect(await rebuilding, 'what is read while they add').toMatchObject({ differing: 0 });
    expect(new Set(added).size, 'each was added by one of them').toBe(added.length);
    expect(added).toHaveLength(RUNS + RUNS / 2);
    const traces = await store.experience.load({ limit: 2 * RUNS });
    expect(traces.map(({ id }) => id).toSorted()).toEqual(added.toSorted());
    const { nodes, edges } = await store.graph.load();
    const told = graphOf(traces);
    expect(new Set(nodes)).toEqual(new Set(told.nodes));
    expect(new Set(edges)).toEqual(new Set(told.edges));
    expect(await store.graph.isComplete()).toBe(true);
  },
  120_000,
);
