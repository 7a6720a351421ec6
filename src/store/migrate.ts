import { type Kysely, sql, type Transaction } from 'kysely';

import { type Logger, PmlError } from '../core/index.js';
import { migrations } from './migrations/index.js';
import type { Migration } from './migrations/migration.js';
import type { Tables } from './schema.js';

/** Any constant will do; it only has to differ from what other programs lock in the same database. */
const ADVISORY_LOCK = 7_061_108;

export interface MigrateOptions {
  readonly logger: Logger;
  /** Called once, before the first pending step changes a database that already holds data. */
  readonly beforeChange?: () => Promise<void>;
  readonly steps?: readonly Migration[];
}

/** Brings the database to the newest version. Safe when several processes do it at once. */
export async function migrate(
  db: Kysely<Tables>,
  { logger, beforeChange, steps = migrations }: MigrateOptions,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await takeLock(trx);
    await sql`create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    )`.execute(trx);
  });
  const current = await schemaVersion(db);
  refuseNewer(current, steps);
  const pending = steps.filter(({ version }) => version > current);
  if (pending.length > 0 && current > 0) await beforeChange?.();
  for (const step of pending) await db.transaction().execute((trx) => apply(trx, step));
  if (pending.length > 0)
    logger.info('store migrated', { from: current, to: await schemaVersion(db) });
}

export async function schemaVersion(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{
    version: number;
  }>`select coalesce(max(version), 0)::int as version from schema_migration`.execute(db);
  return rows[0]?.version ?? 0;
}

async function apply(trx: Transaction<Tables>, step: Migration): Promise<void> {
  await takeLock(trx);
  // Another process may have been faster between our look and our lock.
  if ((await schemaVersion(trx)) >= step.version) return;
  for (const statement of step.statements) await sql.raw(statement).execute(trx);
  const { version, name } = step;
  await trx.insertInto('schema_migration').values({ version, name }).execute();
}

async function takeLock(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(trx);
}

function refuseNewer(current: number, steps: readonly Migration[]): void {
  const newest = steps.at(-1)?.version ?? 0;
  if (current <= newest) return;
  throw new PmlError(
    'STORE_FAILED',
    `The database has schema version ${current}, this pml knows versions up to ${newest}. ` +
      'Update pml, or point it to another data directory.',
    { details: { current, newest } },
  );
}
