import { stat } from 'node:fs/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { countTools } from '../../../test/helpers/count-tools.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { type ExecutionTrace, silentLogger as logger } from '../../core/index.js';
import { isMostlyEmpty } from '../embedded/compact-tables.js';
import { createStoreFolder, ensureDataDirectory } from '../embedded/data-directory.js';
import { EmbeddedCluster } from '../embedded/embedded-cluster.js';
import { verifyCounts } from '../embedded/recorded-counts.js';
import { storePaths } from '../embedded/store-paths.js';
import { createExperienceStore } from './experience-store.js';
import { createGraphStore } from './graph/graph-store.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  cluster = await EmbeddedCluster.open({ paths, logger, now: () => new Date() });
}, 120_000);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const paths = () => storePaths(folder.path);
const text = 'x'.repeat(200);
const trace = (number: number): ExecutionTrace => ({
  ...served(`trace-${number}`, `mail number ${number} ${text}`, ['mail:search', 'mail:send']),
  at: new Date(1_000 * number),
  bindings: [{ from: 0, to: 1, field: 'id', param: 'id' }],
});
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => trace(from + place));

test('pruning removes the oldest executions with their calls, and the graph keeps their counts', async () => {
  const experience = createExperienceStore(cluster.db);
  const graph = createGraphStore(cluster.db);
  await experience.add(many(600), countTools);
  await cluster.checkpoint();
  const told = await graph.load();

  await cluster.prune({ keep: 100, slack: 50 });

  expect(await experience.count()).toBe(100);
  expect((await experience.load({ limit: 1_000 })).map(({ id }) => id)).toEqual(
    many(100, 500).map(({ id }) => id),
  );
  expect(await verifyCounts(cluster.db, paths())).toMatchObject({
    execution_trace: 100,
    execution_call: 200,
    execution_binding: 100,
  });
  expect(await graph.isComplete()).toBe(true);
  expect(await graph.load()).toEqual(told);
});

test('pruning keeps executions up to the limit plus the slack', async () => {
  const experience = createExperienceStore(cluster.db);
  await experience.add(many(40, 1_000), countTools);

  await cluster.prune({ keep: 100, slack: 50 });

  expect(await experience.count()).toBe(140);
});

test('pruning keeps executions that the graph lacks until it is rebuilt', async () => {
  const experience = createExperienceStore(cluster.db);
  await sql`update graph_state set executions = executions - 1`.execute(cluster.db);

  await cluster.prune({ keep: 10, slack: 0 });
  expect(await experience.count()).toBe(140);

  await createGraphStore(cluster.db).rebuild(countTools);
  await cluster.prune({ keep: 10, slack: 0 });
  expect(await experience.count()).toBe(10);
});

test('store that was killed during pruning does not count as damaged', async () => {
  const experience = createExperienceStore(cluster.db);
  await experience.add(many(300, 2_000), countTools);
  await cluster.checkpoint();
  const whole = cluster.db.transaction.bind(cluster.db);
  let removed = 0;
  Object.defineProperty(cluster.db, 'transaction', {
    configurable: true,
    value: () => {
      if (++removed > 1) throw new Error('killed');
      return whole();
    },
  });

  await expect(cluster.prune({ keep: 10, slack: 0 })).rejects.toThrow('killed');
  Object.defineProperty(cluster.db, 'transaction', { configurable: true, value: whole });

  await expect(verifyCounts(cluster.db, paths())).resolves.toBeDefined();
});

test('rebuilt graph keeps the counts of pruned executions, unless it may lose them', async () => {
  const experience = createExperienceStore(cluster.db);
  const graph = createGraphStore(cluster.db);
  await experience.add(many(200, 2_500), countTools);
  await cluster.prune({ keep: 10, slack: 0 });
  const told = await graph.load();
  await sql`update graph_state set executions = executions - 1`.execute(cluster.db);

  const kept = await graph.rebuild(countTools, { keepsMore: true });

  expect(kept).toMatchObject({
    executions: 10,
    differing: 0,
    kept: told.nodes.length + told.edges.length,
  });
  expect(await graph.load()).toEqual(told);
  expect(await graph.isComplete()).toBe(true);
  expect(await graph.rebuild(countTools)).toMatchObject({ executions: 10 });
  expect((await graph.load()).nodes).toMatchObject([{ calls: 10 }, { calls: 10 }]);
});

test('checkpoint during pruning records no rows that are about to be removed', async () => {
  const experience = createExperienceStore(cluster.db);
  await experience.add(many(900, 3_000), countTools);
  await cluster.checkpoint();
  const whole = cluster.db.transaction.bind(cluster.db);
  let checkpoint: Promise<void> | undefined;
  Object.defineProperty(cluster.db, 'transaction', {
    configurable: true,
    value: () => {
      checkpoint ??= cluster.checkpoint();
      return whole();
    },
  });

  await cluster.prune({ keep: 10, slack: 0 });
  await checkpoint;
  Object.defineProperty(cluster.db, 'transaction', { configurable: true, value: whole });

  expect(checkpoint).toBeDefined();
  expect(await verifyCounts(cluster.db, paths())).toMatchObject({ execution_trace: 10 });
});

test('pruning stops between two batches when it is aborted and continues the next time', async () => {
  const experience = createExperienceStore(cluster.db);
  await experience.add(many(600, 4_000), countTools);
  const closing = new AbortController();
  const pruning = cluster.prune({ keep: 10, slack: 0, signal: closing.signal });
  closing.abort();
  await pruning;

  expect(await experience.count()).toBe(610);
  await expect(verifyCounts(cluster.db, paths())).resolves.toBeDefined();
  await cluster.prune({ keep: 10, slack: 0 });
  expect(await experience.count()).toBe(10);
});

test('mostly empty table is rewritten and takes less space', async () => {
  await sql`create table filled (id int, content text)`.execute(cluster.db);
  await sql`insert into filled select n, repeat(md5(n::text), 20)
    from generate_series(1, 30000) as n`.execute(cluster.db);
  await sql`delete from filled where id > 1000`.execute(cluster.db);
  const size = async () => {
    const { rows } = await sql<{ path: string }>`
      select pg_relation_filepath('filled') as path`.execute(cluster.db);
    return (await stat(`${paths().cluster}/${rows[0]?.path}`)).size;
  };
  const before = await size();

  expect(await cluster.compact()).toEqual(['filled']);
  await cluster.checkpoint();

  expect(await size()).toBeLessThan(before / 10);
  expect(await cluster.compact()).toEqual([]);
});

test('table that is small or well used is not rewritten', () => {
  const table = { name: 't', bytes: 20_000_000, rows: 10_000, rowBytes: 1_500 };

  expect(isMostlyEmpty(table)).toBe(false);
  expect(isMostlyEmpty({ ...table, rows: 1_000 })).toBe(true);
  expect(isMostlyEmpty({ ...table, bytes: 1_000_000, rows: 0 })).toBe(false);
});
