/**
 * The statements of the run journal on PostgreSQL. Each is a transaction of its own, so nothing
 * stays locked when a connection breaks. Only the clock of the database measures leases.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { PrunePolicy } from '../../core/index.js';
import type { Tables } from '../schema.js';
import type { RunWrite } from './run-writes.js';

/** One of the processes that share the database. */
export interface Owner {
  readonly id: string;
  readonly leaseMs: number;
}

/** Runs that one pruning statement removes; writes wait no longer than that. */
export const PRUNED_AT_ONCE = 200;

/** The last moment that both a timestamp and JavaScript can hold. */
const LAST_MOMENT = 8.64e15;

/**
 * Writes one row for each of several runs and returns the runs it wrote: the others belong to
 * another process. The row of the run is locked before its owner is compared, so a claim comes
 * either before or after the write.
 */
export async function writeRuns(
  db: Kysely<Tables>,
  owner: Owner,
  writes: readonly RunWrite[],
): Promise<ReadonlySet<string>> {
  const rows = writes.map(
    ({ run, isNew, epoch, firstSeq, seq, events, startedAt, finishedAt }, place) =>
      sql`(${place}::int, ${run}::text, ${isNew}::boolean, ${epoch}::int, ${firstSeq}::int,
        ${seq}::int, ${events}::text, ${moment(startedAt)}, ${moment(finishedAt)})`,
  );
  const { rows: written } = await sql<{ id: string }>`
    with write (place, run, is_new, epoch, first_seq, seq, events, started_at, finished_at) as (
      values ${sql.join(rows)}
    ),
    begun as (
      insert into run
        (id, started_at, finished_at, owner, leased_until, epoch, first_seq, next_seq)
      select run, started_at, finished_at, ${owner.id}, ${leaseEnd(owner)}, epoch, first_seq,
        seq + 1
      from write where is_new order by place
      on conflict (id) do update set
        finished_at = excluded.finished_at, leased_until = excluded.leased_until,
        epoch = excluded.epoch, first_seq = excluded.first_seq, next_seq = excluded.next_seq
      where run.owner = excluded.owner and run.epoch < excluded.epoch
      returning id
    ),
    continued as (
      update run set
        finished_at = write.finished_at, leased_until = ${leaseEnd(owner)},
        epoch = write.epoch, first_seq = write.first_seq, next_seq = write.seq + 1
      from write
      where not write.is_new and run.id = write.run
        and run.owner = ${owner.id} and run.epoch < write.epoch
      returning run.id
    ),
    written as (select id from begun union all select id from continued),
    added as (
      insert into run_event (run, seq, events)
      select run, seq, events from write join written on written.id = write.run
      on conflict (run, seq) do update set events = excluded.events
    )
    select id from written`.execute(db);
  return new Set(written.map(({ id }) => id));
}

/** Rows of a run, from one position up to another (exclusive). */
export interface RowSpan {
  readonly firstSeq: number;
  readonly nextSeq: number;
}

/** `acknowledged` limits the read while the run still belongs to the owner. */
export async function readRows(
  db: Kysely<Tables>,
  run: string,
  { owner, acknowledged }: { owner: Owner; acknowledged: RowSpan | undefined },
): Promise<readonly string[]> {
  const isLimited = sql`(run.owner = ${owner.id} and ${acknowledged !== undefined}::boolean)`;
  const { rows } = await sql<{ events: string }>`
    select run_event.events from run join run_event on run_event.run = run.id
    where run.id = ${run}
      and seq >= case when ${isLimited} then ${acknowledged?.firstSeq ?? 0}::int else first_seq end
      and seq < case when ${isLimited} then ${acknowledged?.nextSeq ?? 0}::int else next_seq end
    order by seq`.execute(db);
  return rows.map(({ events }) => events);
}

export async function newestRuns(
  db: Kysely<Tables>,
  { limit, without }: { limit: number; without: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from run where id <> all(${without}::text[])
    order by position desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A run as its last writer left it. */
export interface StoredRun {
  readonly id: string;
  readonly epoch: number;
  readonly first_seq: number;
  readonly next_seq: number;
  /** When it ended, in milliseconds since 1970. */
  readonly finished_ms: number | null;
}

interface ClaimedRun extends StoredRun {
  /** The owner did not hold it before. */
  readonly is_new: boolean;
}

/**
 * Claims every unfinished run whose lease has expired. The result also includes the runs of `held`
 * that still belong to the owner, unchanged; oldest first. A run that belongs to the owner without
 * being held was claimed earlier, but the response never arrived.
 */
export async function claimRuns(
  db: Kysely<Tables>,
  owner: Owner,
  held: readonly string[],
): Promise<readonly ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`
    with free as (
      select id from run
      where finished_at is null and id <> all(${held}::text[])
        and (leased_until <= clock_timestamp() or owner = ${owner.id})
      for update skip locked
    ),
    claimed as (
      update run set
        owner = ${owner.id}, leased_until = ${leaseEnd(owner)}, epoch = run.epoch + 1
      from free where run.id = free.id
      returning run.id, run.epoch, run.first_seq, run.next_seq, run.position
    )
    select id, epoch, first_seq, next_seq, null::float8 as finished_ms, position, true as is_new
      from claimed
    union all
    select id, epoch, first_seq, next_seq, null, position, false from run
      where id = any(${held}::text[]) and owner = ${owner.id}
    order by position`.execute(db);
  return rows;
}

/** Adopts the finished ones of these runs: no process works on them, so any may shorten them. */
export async function adoptFinished(
  db: Kysely<Tables>,
  owner: Owner,
  runs: readonly string[],
): Promise<readonly StoredRun[]> {
  const { rows } = await sql<StoredRun>`
    update run set owner = ${owner.id}, epoch = epoch + 1
    where id = any(${runs}::text[]) and finished_at is not null
    returning id, epoch, first_seq, next_seq,
      (extract(epoch from finished_at) * 1000)::float8 as finished_ms`.execute(db);
  return rows;
}

export async function renewLeases(
  db: Kysely<Tables>,
  owner: Owner,
  runs: readonly string[],
): Promise<void> {
  await sql`update run set leased_until = ${leaseEnd(owner)}
    where id = any(${runs}::text[]) and owner = ${owner.id} and finished_at is null`.execute(db);
}

/** Removes runs whose first write was never acknowledged, in case it was committed after all. */
export async function removeRuns(
  db: Kysely<Tables>,
  owner: Owner,
  runs: readonly string[],
): Promise<void> {
  await sql`delete from run
    where id = any(${runs}::text[]) and owner = ${owner.id}`.execute(db);
}

/** Removes rows before the given position of each run. */
export async function removeReplacedRows(
  db: Kysely<Tables>,
  firstSeqs: ReadonlyMap<string, number>,
): Promise<void> {
  await sql`delete from run_event
    using unnest(${[...firstSeqs.keys()]}::text[], ${[...firstSeqs.values()]}::int[])
      as replaced (run, first_seq)
    where run_event.run = replaced.run and seq < replaced.first_seq`.execute(db);
}

/** Removes some of the runs that may be pruned, and returns them. */
export async function pruneRuns(
  db: Kysely<Tables>,
  { keepRuns, endedBefore }: PrunePolicy,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from run where id in (
      select id from run
      where finished_at is not null and (
        finished_at < to_timestamp(${endedBefore}::float8 / 1000)
        or id in (
          select id from run where finished_at is not null
          order by finished_at desc, position desc
          offset ${Math.min(keepRuns, Number.MAX_SAFE_INTEGER)}
        )
      )
      limit ${PRUNED_AT_ONCE} for update skip locked
    )
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

function leaseEnd({ leaseMs }: Owner): RawBuilder<Date> {
  return sql`clock_timestamp() + make_interval(secs => ${leaseMs}::float8 / 1000)`;
}

/** A clock that is far off must not prevent a run from being written. */
function moment(ms: number | undefined): RawBuilder<Date | null> {
  if (ms === undefined) return sql`null::timestamptz`;
  const within = Math.min(Math.max(ms, 0), LAST_MOMENT) || 0;
  return sql`to_timestamp(${within}::float8 / 1000)`;
}
