import { randomUUID } from 'node:crypto';

import type { Kysely } from 'kysely';

import {
  type Logger,
  messageOf,
  type PmlError,
  type PrunePolicy,
  type RunEvent,
  type RunId,
  type RunLog,
} from '../core/index.js';
import { withinTime } from './answer-in-time.js';
import { hasAnotherOwner, isClosed, isConnectionLoss, toJournalError } from './journal-errors.js';
import { scheduleMaintenance } from './maintenance.js';
import { Mutex } from './mutex.js';
import {
  adoptFinished,
  claimRuns,
  newestRuns,
  type Owner,
  PRUNED_AT_ONCE,
  pruneRuns,
  readRows,
  removeReplacedRows,
  removeRuns,
  renewLeases,
  type StoredRun,
  writeRuns,
} from './run-log-queries.js';
import {
  type Append,
  heldAfter,
  type HeldRun,
  NEW_RUN,
  type RunWrite,
  toAppend,
  toEvents,
  toWrite,
} from './run-writes.js';
import type { Tables } from './schema.js';
import { storable } from './storable-text.js';

export interface PostgresRunLogOptions {
  readonly logger: Logger;
  readonly lease?: LeaseTimes;
}

export interface LeaseTimes {
  /** A process not heard of for so long may be dead: others take over its runs. */
  readonly leaseMs: number;
  /** How often a process says that it lives. */
  readonly renewMs: number;
}

const LEASE: LeaseTimes = { leaseMs: 30_000, renewMs: 10_000 };

/** What goes in one statement at most; a single append may be larger. */
const BATCH_APPENDS = 500;
const BATCH_CHARACTERS = 4_000_000;

/**
 * The run journal in PostgreSQL, which several processes may share: each run belongs to one of
 * them. The process renews its leases until the log is disposed, and then gives them back.
 */
export function createPostgresRunLog(db: Kysely<Tables>, options: PostgresRunLogOptions): RunLog {
  return new PostgresRunLog(db, options);
}

interface Waiting {
  readonly append: Append;
  failure?: PmlError;
}

class PostgresRunLog implements RunLog {
  readonly #db: Kysely<Tables>;
  readonly #logger: Logger;
  readonly #owner: Owner;
  /** Until somebody is told that the run is another's: only then does nobody here work on it. */
  readonly #held = new Map<string, HeldRun>();
  readonly #waiting: Waiting[] = [];
  /** Rows before these places were replaced by an acknowledged checkpoint. */
  readonly #replaced = new Map<string, number>();
  /** One statement that changes rows at a time: two of ours could wait for each other. */
  readonly #turn = new Mutex();
  readonly #stopUpkeep: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(db: Kysely<Tables>, { logger, lease = LEASE }: PostgresRunLogOptions) {
    this.#db = db;
    this.#logger = logger;
    this.#owner = { id: randomUUID(), leaseMs: lease.leaseMs };
    this.#stopUpkeep = scheduleMaintenance(() => this.#turn.run(() => this.#upkeep()), {
      logger,
      intervalMs: lease.renewMs,
    });
  }

  async append(run: RunId, events: readonly RunEvent[]): Promise<void> {
    if (this.#closing !== undefined) throw isClosed();
    if (events.length === 0) return;
    const waiting: Waiting = { append: toAppend(run, events) };
    this.#waiting.push(waiting);
    // Every turn writes at least the oldest that waits, so ours is written when our turn is over.
    await this.#turn.run(() => this.#writeWaiting());
    if (waiting.failure !== undefined) throw waiting.failure;
  }

  async read(run: RunId): Promise<readonly RunEvent[]> {
    const id = storable(run);
    const held = this.#held.get(id);
    if (held?.epoch === 0) return [];
    const acknowledged = held !== undefined && held.triedEpoch > held.epoch ? held : undefined;
    const reading = readRows(this.#db, id, { owner: this.#owner, acknowledged });
    return toEvents(await attempt(`read run ${run}`, reading));
  }

  async list({ limit }: { limit: number }): Promise<readonly RunId[]> {
    const without = this.#ownRuns(({ epoch }) => epoch === 0);
    const ids = await attempt('list runs', newestRuns(this.#db, { limit, without }));
    return ids as readonly RunId[];
  }

  claim(): Promise<readonly RunId[]> {
    return this.#turn.run(async () => {
      if (this.#closing !== undefined) throw isClosed();
      const held = this.#ownRuns(({ finishedAt }) => finishedAt === undefined);
      const claimed = await attempt(
        'take over unfinished runs',
        claimRuns(this.#db, this.#owner, held),
      );
      for (const { is_new: isNew, ...run } of claimed) if (isNew) this.#hold(run);
      // Not those whose beginning was refused: they are removed if they are there at all.
      const begun = claimed.filter(({ id }) => this.#held.get(id)?.epoch !== 0);
      return begun.map(({ id }) => id as RunId);
    });
  }

  async prune(policy: PrunePolicy): Promise<number> {
    let pruned = 0;
    for (;;) {
      const ids = await this.#turn.run(() => this.#pruneSome(policy));
      pruned += ids.length;
      if (ids.length < PRUNED_AT_ONCE) return pruned;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** A run that others have written, as the database has it. */
  #hold({ id, epoch, first_seq: firstSeq, next_seq: nextSeq }: StoredRun, end?: number): void {
    const finished = end === undefined ? {} : { finishedAt: end };
    this.#held.set(id, { epoch, triedEpoch: epoch, firstSeq, nextSeq, ...finished });
    this.#replaced.set(id, firstSeq);
  }

  #ownRuns(isWanted: (run: HeldRun) => boolean): readonly string[] {
    const ids: string[] = [];
    for (const [id, held] of this.#held) if (isWanted(held)) ids.push(id);
    return ids;
  }

  async #writeWaiting(): Promise<void> {
    const byRun = new Map<string, Waiting[]>();
    for (const waiting of takeBatch(this.#waiting)) {
      const { run, isBeginning } = waiting.append;
      const group = byRun.get(run);
      if (group !== undefined) group.push(waiting);
      else if (this.#held.has(run) || isBeginning) byRun.set(run, [waiting]);
      else waiting.failure = hasAnotherOwner(run);
    }
    if (byRun.size === 0) return;
    try {
      const lost = await this.#write(byRun);
      for (const run of lost) {
        for (const waiting of byRun.get(run) ?? []) waiting.failure = hasAnotherOwner(run);
      }
    } catch (error) {
      const failure = toJournalError('write to the run journal', error);
      for (const waiting of [...byRun.values()].flat()) waiting.failure = failure;
    }
  }

  /** A checkpoint of a run that is not ours shortens one that others finished, or begins one. */
  async #adopt(byRun: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const shortened = [...byRun].filter(
      ([run, group]) => !this.#held.has(run) && group[0]?.append.isFresh,
    );
    if (shortened.length === 0) return;
    const ids = shortened.map(([run]) => run);
    const adopted = await withinTime(adoptFinished(this.#db, this.#owner, ids));
    for (const run of adopted) this.#hold(run, run.finished_ms);
  }

  /** Returns the runs that belong to another process. */
  async #write(byRun: ReadonlyMap<string, readonly Waiting[]>): Promise<readonly string[]> {
    try {
      return await this.#tryWrite(byRun);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      // Over another connection. Whatever became of the first try, this one takes its place.
      return this.#tryWrite(byRun);
    }
  }

  async #tryWrite(byRun: ReadonlyMap<string, readonly Waiting[]>): Promise<readonly string[]> {
    await this.#adopt(byRun);
    const writes: RunWrite[] = [];
    for (const [run, group] of byRun) {
      const held = this.#held.get(run) ?? NEW_RUN;
      const write = toWrite(
        held,
        group.map(({ append }) => append),
      );
      this.#held.set(run, { ...held, triedEpoch: write.epoch });
      writes.push(write);
    }
    return this.#settle(writes, await withinTime(writeRuns(this.#db, this.#owner, writes)));
  }

  #settle(writes: readonly RunWrite[], written: ReadonlySet<string>): readonly string[] {
    const lost: string[] = [];
    for (const write of writes) {
      if (written.has(write.run)) {
        this.#held.set(write.run, heldAfter(write));
        if (write.firstSeq === write.seq) this.#replaced.set(write.run, write.firstSeq);
      } else {
        this.#held.delete(write.run);
        lost.push(write.run);
      }
    }
    return lost;
  }

  async #upkeep(): Promise<void> {
    const unfinished = this.#unfinished();
    if (unfinished.length > 0) await withinTime(renewLeases(this.#db, this.#owner, unfinished));
    await this.#tidy();
  }

  #unfinished(): readonly string[] {
    return this.#ownRuns(({ epoch, finishedAt }) => epoch > 0 && finishedAt === undefined);
  }

  /** Removes what was replaced, and what was refused but may have been written. */
  async #tidy(): Promise<void> {
    const refused = this.#ownRuns(({ epoch }) => epoch === 0);
    if (refused.length > 0) {
      await withinTime(removeRuns(this.#db, this.#owner, refused));
      for (const run of refused) this.#held.delete(run);
    }
    if (this.#replaced.size === 0) return;
    await withinTime(removeReplacedRows(this.#db, this.#replaced));
    this.#replaced.clear();
  }

  async #pruneSome(policy: PrunePolicy): Promise<readonly string[]> {
    return attempt(
      'remove finished runs',
      (async () => {
        await this.#tidy();
        const ids = await pruneRuns(this.#db, policy);
        for (const id of ids) this.#held.delete(id);
        return ids;
      })(),
    );
  }

  async #close(): Promise<void> {
    await this.#stopUpkeep();
    await this.#turn.run(async () => {
      try {
        const released = { ...this.#owner, leaseMs: 0 };
        await withinTime(renewLeases(this.#db, released, this.#unfinished()));
        await this.#tidy();
      } catch (error) {
        // Nothing is lost: the leases end by themselves, and whoever claims a run tidies it.
        this.#logger.warn('runs not given back', { error: messageOf(error) });
      }
    });
  }
}

async function attempt<T>(doing: string, step: Promise<T>): Promise<T> {
  try {
    return await withinTime(step);
  } catch (error) {
    throw toJournalError(doing, error);
  }
}

function takeBatch(waiting: Waiting[]): readonly Waiting[] {
  let characters = 0;
  const end = waiting.findIndex(({ append }, place) => {
    characters += append.lines.length;
    return place > 0 && (place >= BATCH_APPENDS || characters > BATCH_CHARACTERS);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
