/**
 * Upgrades of older stores to the newest version: existing data stays, and the database refuses
 * invalid rows.
 */
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { anEpisode } from '../../../test/conformance/episode-store.js';
import { aTrace } from '../../../test/conformance/experience-store.js';
import { type BareStore, openBareStore } from '../../../test/helpers/bare-store.js';
import { aCapability } from '../../../test/helpers/capability-samples.js';
import { countTools } from '../../../test/helpers/count-tools.js';
import {
  type ExecutionTrace,
  type RunId,
  runId,
  serverName,
  silentLogger as logger,
  type ToolId,
  toolId,
} from '../../core/index.js';
import { migrate, schemaVersion } from '../migrate.js';
import type { Tables } from '../schema.js';
import { createCapabilityStore } from '../tables/capability-store.js';
import { createEpisodeStore } from '../tables/episode-store.js';
import { createExperienceStore } from '../tables/experience-store.js';
import { createGraphStore } from '../tables/graph/graph-store.js';
import { createRankingStore } from '../tables/ranking-store.js';
import { createResultStore } from '../tables/result-store.js';
import { migrations } from './index.js';

let bare: BareStore;
let db: Kysely<Tables>;

beforeAll(async () => {
  bare = await openBareStore();
  ({ db } = bare);
}, 120_000);
afterAll(() => bare[Symbol.asyncDispose]());
beforeEach(() => bare.startAnew());

async function bringTo(version: number): Promise<void> {
  await migrate(db, { logger, steps: migrations.slice(0, version) });
  expect(await schemaVersion(db)).toBe(version);
}

/** An execution that every version can store. */
async function addOld(): Promise<ExecutionTrace> {
  const old = aTrace('old');
  await sql`insert into execution_trace (id, intent, at, source, ok)
    values ('old', 'do old', ${old.at.toISOString()}::timestamptz, 'live', true)`.execute(db);
  await sql`insert into execution_call (trace, position, tool, ok, ms)
    values ('old', 0, 'files:read', true, 12.5)`.execute(db);
  return old;
}

test('upgrade keeps executions of version 2 unchanged, and the database refuses invalid ones', async () => {
  await bringTo(2);
  const old = await addOld();

  await migrate(db, { logger });

  const experience = createExperienceStore(db);
  const added = aTrace('new', { run: runId('r'), at: new Date('2026-11-03T08:00:00Z') });
  expect(await experience.add([added], countTools)).toEqual(['new']);
  expect(await experience.load({ limit: 10 })).toStrictEqual([old, added]);
  await expect(
    sql`update execution_trace set run = 'r' where id = 'old'`.execute(db),
  ).rejects.toMatchObject({ code: '23505' });
  for (const change of ['parent = 0', 'parent = -1', "error_type = 'bad luck'"]) {
    const changing = sql`update execution_call set ${sql.raw(change)}`.execute(db);
    await expect(changing).rejects.toMatchObject({ code: '23514' });
  }
});

test('upgrade from version 3 adds capabilities, and the database refuses invalid ones', async () => {
  await bringTo(3);

  await migrate(db, { logger });

  const store = createCapabilityStore(db);
  const kept = aCapability('kept');
  await store.save({ write: [kept], remove: [], forget: [], uses: [] });
  for (const change of [
    "update capability set status = 'disabled'",
    "update capability set cause = 'failures'",
    'update capability_version set successes = uses + 1',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23514' });
  }
  for (const change of [
    "update capability set current_identity = 'none'",
    'delete from capability_version',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23503' });
  }
  expect(await store.load()).toEqual([kept]);
});

test('upgrade from version 4 adds results, refuses invalid ones and frees expired ones', async () => {
  await bringTo(4);

  await migrate(db, { logger });

  const store = createResultStore(db);
  const [createdAt, expiresAt] = [new Date(0), new Date(2_000)];
  const kept = { handle: 'r_1', text: 'kept', mimeType: 'text/plain', createdAt, expiresAt };
  await store.save(kept);
  for (const change of [
    'update result_blob set bytes = -1',
    "update result_blob set gone = 'eaten'",
    'update result_part set position = -1',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23514' });
  }
  await expect(
    sql`insert into result_part (handle, position, content) values ('r_2', 0, '')`.execute(db),
  ).rejects.toMatchObject({ code: '23503' });
  expect(await store.load('r_1', new Date(1_000))).toMatchObject({ text: 'kept' });
  const [now, forgetBefore] = [expiresAt, createdAt];
  await store.prune({ now, maxBytes: 1e9, forgetBefore });
  expect(await db.selectFrom('result_part').selectAll().execute()).toEqual([]);
});

test('upgrade from version 5 marks the graph as incomplete until it is rebuilt', async () => {
  await bringTo(5);
  await sql`insert into execution_trace (id, intent, at, source, ok)
    values ('old', 'do old', '2026-11-02T08:00:00.123Z', 'live', true)`.execute(db);
  await sql`insert into execution_call (trace, position, tool, ok, ms)
    values ('old', 0, 'files:read', true, 12.5)`.execute(db);

  await migrate(db, { logger });

  const graph = createGraphStore(db);
  expect(await graph.load()).toEqual({ nodes: [], edges: [] });
  expect(await graph.isComplete()).toBe(false);
  const list = { tool: toolId(serverName('files'), 'list'), ok: true };
  const added = aTrace('new', { calls: [list] });
  await createExperienceStore(db).add([added], countTools);
  expect(await graph.isComplete(), 'what is added does not make up for what is missing').toBe(
    false,
  );
  expect(await graph.rebuild(countTools)).toEqual({ executions: 2, differing: 1 });
  expect(await graph.isComplete()).toBe(true);
  expect((await graph.load()).nodes).toMatchObject([
    { id: 'files:list', calls: 1 },
    { id: 'files:read', calls: 1, totalMs: 12.5 },
  ]);
  for (const change of [
    "update graph_node set calls = -1 where id = 'files:read'",
    "insert into graph_edge values ('a', 'b', 'friends', 1, 0, 0)",
    'insert into graph_state (executions) values (1)',
  ]) {
    const code = change.includes('state') ? '23505' : '23514';
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code });
  }
});

test('new store has a complete graph and nothing to rebuild', async () => {
  await migrate(db, { logger });

  expect(await createGraphStore(db).isComplete()).toBe(true);
});

test('calls of version 6 have no arguments after the upgrade, and new calls keep theirs', async () => {
  await bringTo(6);
  await sql`insert into execution_trace (id, intent, at, source, ok)
    values ('old', 'do old', '2026-11-02T08:00:00.123Z', 'live', true)`.execute(db);
  await sql`insert into execution_call (trace, position, tool, ok, ms)
    values ('old', 0, 'files:read', true, 12.5)`.execute(db);

  await migrate(db, { logger });

  const experience = createExperienceStore(db);
  const call = { tool: toolId(serverName('files'), 'list'), ok: true, args: { path: '/tmp' } };
  const added = aTrace('new', { calls: [call] });
  await experience.add([added], countTools);
  expect(await experience.load({ limit: 10 })).toStrictEqual([added, aTrace('old')]);
  await expect(sql.raw(`update execution_call set args = '[1]'`).execute(db)).rejects.toMatchObject(
    { code: '23514' },
  );
});

test('decisions of version 7 stay unchanged after the upgrade and accept a more detailed outcome', async () => {
  await bringTo(7);
  await sql`insert into algorithm_trace (id, at, algorithm, intent, model, weights, candidates,
      shown, outcome_tool, outcome_place, outcome_ok)
    values ('old', '2026-11-02T08:00:00.123Z', 'discover', 'read', 'cold', '{}', '[]', 1,
      'files:read', 1, true)`.execute(db);

  await migrate(db, { logger });

  const ranking = createRankingStore(db);
  const old = {
    id: 'old',
    at: new Date('2026-11-02T08:00:00.123Z'),
    algorithm: 'discover',
    intent: 'read',
    model: 'cold',
    weights: {},
    candidates: [],
    shown: 1,
    outcome: { tool: 'files:read' as ToolId, place: 1, ok: true },
  } as const;
  expect(await ranking.traces({ limit: 10 })).toStrictEqual([old]);
  const outcome = { ...old.outcome, match: 'exact', run: 'run_0123456789ab' as RunId } as const;
  await ranking.setOutcome('old', outcome);
  expect(await ranking.traces({ limit: 10, judged: true })).toStrictEqual([{ ...old, outcome }]);
  await expect(sql`update algorithm_trace set confidence = 1`.execute(db)).rejects.toMatchObject({
    code: '23514',
  });
});

test('executions of version 8 have no earlier calls after the upgrade, and new ones do', async () => {
  await bringTo(8);
  const old = await addOld();

  await migrate(db, { logger });

  const experience = createExperienceStore(db);
  const before = [{ tool: toolId(serverName('files'), 'list'), ok: true }];
  const added = aTrace('new', { before, at: new Date('2026-11-03T08:00:00Z') });
  await experience.add([added], countTools);
  expect(await experience.load({ limit: 10 })).toStrictEqual([old, added]);
  await expect(
    sql.raw(`update execution_trace set called_before = '{}'`).execute(db),
  ).rejects.toMatchObject({ code: '23514' });
});

test('upgrade from version 11 adds episodes beside existing data, and the database refuses invalid ones', async () => {
  await bringTo(11);
  const old = await addOld();

  await migrate(db, { logger });

  const store = createEpisodeStore(db);
  const kept = anEpisode('kept');
  await store.add([kept]);
  const row = { rung: 'offer', kind: 'list', value: 0.9, isOff: false, why: '', at: new Date(0) };
  await store.saveThresholds([{ ...row, rung: 'offer' }]);
  for (const change of [
    "update episode set outcome = 'maybe'",
    'update episode set confidence = 1.5',
    "update episode set rung = 'dream'",
    `update episode set last = '{}'`,
    'update episode set wasted_ms = -1',
    'update threshold set value = 2',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23514' });
  }
  expect(await store.load({ limit: 10 })).toStrictEqual([kept]);
  expect(await createExperienceStore(db).load({ limit: 10 })).toStrictEqual([old]);
});
