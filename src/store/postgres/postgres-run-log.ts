import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { Kysely } from 'kysely';

import {
  type Logger,
  messageOf,
  type PmlError,
  type PrunePolicy,
  type RunEvent,
  type RunId,
  type RunLog,
} from '../../core/index.js';
import { scheduleMaintenance } from '../maintenance.js';
import { Mutex } from '../mutex.js';
import type { Tables } from '../schema.js';
import { storable } from '../tables/storable-text.js';
import { withinTime } from './answer-in-time.js';
import { HeldRuns } from './held-runs.js';
import { hasAnotherOwner, isClosed, isConnectionLoss, toJournalError } from './journal-errors.js';
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
  writeRuns,
} from './run-log-queries.js';
import { type Append, toAppend, toEvents } from './run-writes.js';

export interface PostgresRunLogOptions {
  readonly logger: Logger;
  readonly lease?: LeaseTimes;
}

export interface LeaseTimes {
  /** A process without a renewal for this long may be dead: others take over its runs. */
  readonly leaseMs: number;
  /** How often a process renews its leases. */
  readonly renewMs: number;
}

/** Four renewals in a row may fail or be late before others take over. */
const LEASE: LeaseTimes = { leaseMs: 15_000, renewMs: 3_000 };

/** The limits of one statement; a single append may be larger. */
const BATCH_APPENDS = 500;
const BATCH_CHARACTERS = 4_000_000;

/**
 * The run journal in PostgreSQL, which several processes may share: each run belongs to one
 * process, which renews its leases until the log is disposed, and then releases them.
 */
export function createPostgresRunLog(db: Kysely<Tables>, options: PostgresRunLogOptions): RunLog {
  return new PostgresRunLog(db, options);
}

interface Waiting {
  readonly append: Append;
  failure?: PmlError;
}

interface Batch {
  readonly waiting: Waiting[];
  readonly written: Promise<void>;
  characters: number;
}

class PostgresRunLog implements RunLog {
  readonly #db: Kysely<Tables>;
  readonly #logger: Logger;
  readonly #owner: Owner;
  readonly #held = new HeldRuns();
  #next: Batch | undefined;
  /** Only one writing statement at a time: two of ours could deadlock. */
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
    await this.#join(waiting);
    if (waiting.failure !== undefined) throw waiting.failure;
  }

  /** A database answers later, or not at all. */
  handOver(): boolean {
    return false;
  }

  bytesOf(): undefined {
    return undefined;
  }

  async read(run: RunId): Promise<readonly RunEvent[]> {
    const id = storable(run);
    const held = this.#held.get(id);
    if (held?.epoch === 0) return [];
    const acknowledged = held !== undefined && held.triedEpoch > held.epoch ? held : undefined;
    const reading = readRows(this.#db, id, { owner: this.#owner, acknowledged });
    return toEvents(await attempt(`read run ${run}`, reading));
  }

  /** The database answers for what it holds. */
  damageOf(): undefined {
    return undefined;
  }

  problems(): readonly string[] {
    return [];
  }

  async list({ limit }: { limit: number }): Promise<readonly RunId[]> {
    const listing = newestRuns(this.#db, { limit, without: this.#held.refused() });
    const ids = await attempt('list runs', listing);
    return ids as readonly RunId[];
  }

  claim(): Promise<readonly RunId[]> {
    return this.#turn.run(async () => {
      if (this.#closing !== undefined) throw isClosed();
      const refused = this.#held.refused();
      const held = [...this.#held.unfinished(), ...refused];
      const claiming = claimRuns(this.#db, this.#owner, held);
      const claimed = await attempt('take over unfinished runs', claiming);
      for (const run of claimed) if (run.is_new) this.#held.take(run);
      // Runs whose beginning was refused are removed, if they exist at all.
      const named = claimed.filter(({ id }) => !refused.includes(id));
      return named.map(({ id }) => id as RunId);
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

  /** Resolves when the batch that the append joined is written. */
  #join(waiting: Waiting): Promise<void> {
    const batch = (this.#next ??= this.#beginBatch());
    batch.waiting.push(waiting);
    batch.characters += waiting.append.lines.length;
    const isFull = batch.waiting.length >= BATCH_APPENDS || batch.characters >= BATCH_CHARACTERS;
    if (isFull) this.#next = undefined;
    return batch.written;
  }

  /** Collects appends until the previous write is over, including those that waited for it. */
  #beginBatch(): Batch {
    const waiting: Waiting[] = [];
    const written = this.#turn.run(async () => {
      await setImmediate();
      if (this.#next?.waiting === waiting) this.#next = undefined;
      await this.#writeTogether(waiting);
    });
    return { waiting, written, characters: 0 };
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<void> {
    const byRun = new Map<string, Waiting[]>();
    for (const waiting of batch) {
      const { run, isBeginning } = waiting.append;
      const group = byRun.get(run);
      if (group !== undefined) group.push(waiting);
      else if (this.#held.get(run) !== undefined || isBeginning) byRun.set(run, [waiting]);
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

  /** Returns the runs that belong to another process. */
  async #write(byRun: ReadonlyMap<string, readonly Waiting[]>): Promise<readonly string[]> {
    try {
      return await this.#tryWrite(byRun);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      // Over another connection. Whatever happened to the first attempt, this one replaces it.
      return this.#tryWrite(byRun);
    }
  }

  async #tryWrite(byRun: ReadonlyMap<string, readonly Waiting[]>): Promise<readonly string[]> {
    await this.#adopt(byRun);
    const appendsOf = (group: readonly Waiting[]) => group.map(({ append }) => append);
    const writes = [...byRun].map(([run, group]) => this.#held.plan(run, appendsOf(group)));
    const written = await withinTime(writeRuns(this.#db, this.#owner, writes));
    for (const write of writes) if (written.has(write.run)) this.#held.acknowledge(write);
    const lost = [...byRun.keys()].filter((run) => !written.has(run));
    this.#held.forget(lost);
    return lost;
  }

  /** A checkpoint of a run we do not hold shortens one that others finished, or begins one. */
  async #adopt(byRun: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const shortened = [...byRun]
      .filter(([run, group]) => this.#held.get(run) === undefined && group[0]?.append.isFresh)
      .map(([run]) => run);
    if (shortened.length === 0) return;
    const adopted = await withinTime(adoptFinished(this.#db, this.#owner, shortened));
    for (const run of adopted) this.#held.take(run);
  }

  async #upkeep(): Promise<void> {
    const unfinished = this.#held.unfinished();
    if (unfinished.length > 0) await withinTime(renewLeases(this.#db, this.#owner, unfinished));
    await this.#tidy();
  }

  /** Removes replaced rows, and refused writes that may be in the database. */
  async #tidy(): Promise<void> {
    const refused = this.#held.refused();
    if (refused.length > 0) await withinTime(removeRuns(this.#db, this.#owner, refused));
    this.#held.forget(refused);
    const { replaced } = this.#held;
    if (replaced.size > 0) await withinTime(removeReplacedRows(this.#db, replaced));
    replaced.clear();
  }

  async #pruneSome(policy: PrunePolicy): Promise<readonly string[]> {
    return attempt(
      'remove finished runs',
      (async () => {
        await this.#tidy();
        const ids = await pruneRuns(this.#db, policy);
        this.#held.forget(ids);
        return ids;
      })(),
    );
  }

  async #close(): Promise<void> {
    await this.#stopUpkeep();
    await this.#turn.run(async () => {
      try {
        const released = { ...this.#owner, leaseMs: 0 };
        const unfinished = this.#held.unfinished();
        if (unfinished.length > 0) await withinTime(renewLeases(this.#db, released, unfinished));
        await this.#tidy();
      } catch (error) {
        // Nothing is lost: the leases expire, and the process that claims a run tidies it.
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
