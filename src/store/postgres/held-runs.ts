import type { StoredRun } from './run-log-queries.js';
import {
  type Append,
  heldAfter,
  type HeldRun,
  NEW_RUN,
  type RunWrite,
  toWrite,
} from './run-writes.js';

/**
 * The runs this process holds, as far as it knows. A run that another process took over stays until
 * a write fails: only then does the worker in this process learn of it.
 */
export class HeldRuns {
  readonly #runs = new Map<string, HeldRun>();
  /** An acknowledged checkpoint replaced the rows before these positions. */
  readonly replaced = new Map<string, number>();

  get(id: string): HeldRun | undefined {
    return this.#runs.get(id);
  }

  /** Runs that are not finished, according to acknowledged writes. */
  unfinished(): readonly string[] {
    return this.#select((run) => run.epoch > 0 && run.finishedAt === undefined);
  }

  /** Runs whose first write was refused, but may still be in the database. */
  refused(): readonly string[] {
    return this.#select((run) => run.epoch === 0);
  }

  /** Takes a run that another process wrote, as stored in the database. */
  take({ id, epoch, first_seq: firstSeq, next_seq: nextSeq, finished_ms: end }: StoredRun): void {
    const finished = end === null ? {} : { finishedAt: end };
    this.#runs.set(id, { epoch, triedEpoch: epoch, firstSeq, nextSeq, ...finished });
    this.replaced.set(id, firstSeq);
  }

  /** From now on the write may be in the database. */
  plan(run: string, appends: readonly Append[]): RunWrite {
    const held = this.#runs.get(run) ?? NEW_RUN;
    const write = toWrite(held, appends);
    this.#runs.set(run, { ...held, triedEpoch: write.epoch });
    return write;
  }

  acknowledge(write: RunWrite): void {
    this.#runs.set(write.run, heldAfter(write));
    if (write.firstSeq === write.seq) this.replaced.set(write.run, write.firstSeq);
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#runs.delete(id);
  }

  #select(isWanted: (run: HeldRun) => boolean): readonly string[] {
    return [...this.#runs].filter(([, run]) => isWanted(run)).map(([id]) => id);
  }
}
