import { type Kysely, sql, type Transaction } from 'kysely';

import type { Capability, CapabilityStore, CapabilityUpdate } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import {
  capabilityColumns,
  toCapability,
  useColumns,
  versionColumns,
  type StoredVersionRow,
  versionSize,
  versionsOf,
} from './capability-rows.js';
import { rowChunks } from './row-chunks.js';
import { storable } from './storable-text.js';

const PAGE_ROWS = 200;

/** Capabilities in SQL, the same for PGlite and PostgreSQL. */
export function createCapabilityStore(db: Kysely<Tables>): CapabilityStore {
  return {
    load: () =>
      attempt('load capabilities', () =>
        // One view of both tables: a save in between would give names without their code.
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((trx) => loadCapabilities(trx)),
      ),

    save: (update) =>
      attempt('save capabilities', () =>
        db.transaction().execute((trx) => writeUpdate(trx, update)),
      ),
  };
}

/** All of them, or those with these names. */
export async function loadCapabilities(
  trx: Kysely<Tables>,
  names?: readonly string[],
): Promise<readonly Capability[]> {
  const versions = new Map<string, StoredVersionRow[]>();
  for (const row of await selectVersions(trx, names)) {
    versions.set(row.capability, [...(versions.get(row.capability) ?? []), row]);
  }
  const rows = await selectCapabilities(trx, names);
  return rows.map((row) => toCapability(row, versions.get(row.name) ?? []));
}

function selectCapabilities(db: Kysely<Tables>, names: readonly string[] | undefined) {
  const all = db
    .selectFrom('capability')
    .select(['name', 'description', 'status', 'cause', 'reason', 'is_pinned', 'current_identity'])
    .select([sql<string>`aliases::text`.as('aliases'), sql<string>`intents::text`.as('intents')])
    .orderBy(sql`name collate "C"`);
  return (names ? all.where('name', 'in', names) : all).execute();
}

/** Page by page: locks and structures are long, and answers are copied between threads. */
async function selectVersions(
  db: Kysely<Tables>,
  names: readonly string[] | undefined,
): Promise<readonly StoredVersionRow[]> {
  const isWanted = names ? sql`capability = any(${names}::text[])` : sql`true`;
  const all: StoredVersionRow[] = [];
  for (;;) {
    const { rows } = await sql<StoredVersionRow>`
      select capability, identity, version, code, parameters::text as parameters,
        lock::text as lock, contains::text as contains, structure::text as structure,
        tools_used::text as tools_used, sequence::text as sequence,
        invocations::text as invocations, uses, successes,
        failures_in_row, total_ms, last_used, origin, run, proven_at
      from capability_version where ${isWanted}
      order by version desc, proven_at desc, capability, identity
      limit ${PAGE_ROWS} offset ${all.length}`.execute(db);
    all.push(...rows);
    if (rows.length < PAGE_ROWS) return all;
  }
}

export async function writeUpdate(
  trx: Transaction<Tables>,
  { write, remove, forget, uses }: CapabilityUpdate,
): Promise<void> {
  // Machines that save at once take turns; rows of both tables belong together.
  await sql`lock table capability in share row exclusive mode`.execute(trx);
  if (remove.length > 0) {
    await sql`delete from capability where name = any(${remove.map(storable)}::text[])`.execute(
      trx,
    );
  }
  for (const chunk of rowChunks(write, () => 2_000)) {
    await upsertCapabilities(trx, capabilityColumns(chunk));
  }
  for (const chunk of rowChunks(write.flatMap(versionsOf), versionSize)) {
    await upsertVersions(trx, versionColumns(chunk));
  }
  for (const { capability, identity } of forget) {
    await trx
      .deleteFrom('capability_version')
      .where('capability', '=', storable(capability))
      .where('identity', '=', storable(identity))
      .execute();
  }
  for (const chunk of rowChunks(uses, () => 200)) await addUses(trx, useColumns(chunk));
}

async function upsertCapabilities(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof capabilityColumns>,
): Promise<void> {
  await sql`
    insert into capability (name, aliases, description, intents, status, cause, reason, is_pinned,
      current_identity)
    select name, aliases::json, description, intents::json, status, cause, reason, is_pinned,
      current_identity
    from unnest(
      ${columns.name}::text[], ${columns.aliases}::text[], ${columns.description}::text[],
      ${columns.intents}::text[], ${columns.status}::text[], ${columns.cause}::text[],
      ${columns.reason}::text[], ${columns.isPinned}::boolean[], ${columns.current}::text[]
    ) as row (name, aliases, description, intents, status, cause, reason, is_pinned,
      current_identity)
    on conflict (name) do update set
      aliases = excluded.aliases, description = excluded.description, intents = excluded.intents,
      status = excluded.status, cause = excluded.cause, reason = excluded.reason,
      is_pinned = excluded.is_pinned, current_identity = excluded.current_identity`.execute(trx);
}

/** Statistics of a version that is there are not touched: they grow by uses alone. */
async function upsertVersions(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof versionColumns>,
): Promise<void> {
  await sql`
    insert into capability_version (capability, identity, version, code, parameters, lock, contains,
      structure, tools_used, sequence, invocations, uses, successes, failures_in_row, total_ms,
      last_used, origin, run, proven_at)
    select capability, identity, version, code, parameters::json, lock::json, contains::json,
      structure::json, tools_used::json, sequence::json, invocations::json, uses, successes,
      failures_in_row, total_ms, last_used, origin, run, proven_at
    from unnest(
      ${columns.capability}::text[], ${columns.identity}::text[], ${columns.version}::int[],
      ${columns.code}::text[], ${columns.parameters}::text[], ${columns.lock}::text[],
      ${columns.contains}::text[], ${columns.structure}::text[], ${columns.toolsUsed}::text[],
      ${columns.sequence}::text[], ${columns.invocations}::text[], ${columns.uses}::int[], ${columns.successes}::int[],
      ${columns.failuresInRow}::int[], ${columns.totalMs}::float8[],
      ${columns.lastUsed}::timestamptz[], ${columns.origin}::text[], ${columns.run}::text[],
      ${columns.provenAt}::timestamptz[]
    ) as row (capability, identity, version, code, parameters, lock, contains, structure,
      tools_used, sequence, invocations, uses, successes, failures_in_row, total_ms, last_used,
      origin, run, proven_at)
    on conflict (capability, identity) do update set
      version = excluded.version, code = excluded.code, parameters = excluded.parameters,
      lock = excluded.lock, contains = excluded.contains, structure = excluded.structure,
      tools_used = excluded.tools_used, sequence = excluded.sequence,
      invocations = excluded.invocations, origin = excluded.origin,
      run = excluded.run, proven_at = excluded.proven_at`.execute(trx);
}

async function addUses(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof useColumns>,
): Promise<void> {
  await sql`
    update capability_version as version set
      uses = version.uses + row.uses,
      successes = version.successes + row.successes,
      total_ms = version.total_ms + row.total_ms,
      failures_in_row = row.failures_in_row,
      last_used = greatest(version.last_used, row.last_used)
    from unnest(
      ${columns.capability}::text[], ${columns.identity}::text[], ${columns.uses}::int[],
      ${columns.successes}::int[], ${columns.totalMs}::float8[], ${columns.failuresInRow}::int[],
      ${columns.lastUsed}::timestamptz[]
    ) as row (capability, identity, uses, successes, total_ms, failures_in_row, last_used)
    where version.capability = row.capability and version.identity = row.identity`.execute(trx);
}
