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
 * The runs this process has, as far as it knows. One that another took over stays until a write
 * shows it: only then has whoever works on it here been told.
 */
export class HeldRuns {
  readonly #runs = new Map<string, HeldRun>();
  /** Rows before these places were replaced by an acknowledged checkpoint. */
  readonly replaced = new Map<string, number>();

  get(id: string): HeldRun | undefined {
    return this.#runs.get(id);
  }

  /** Those that are not over, as far as was acknowledged. */
  unfinished(): readonly string[] {
    return this.#select((run) => run.epoch > 0 && run.finishedAt === undefined);
  }

  /** Those whose beginning was refused, but may be in the database all the same. */
  refused(): readonly string[] {
    return this.#select((run) => run.epoch === 0);
  }

  /** A run that others have written, as the database has it. */
  take({ id, epoch, first_seq: firstSeq, next_seq: nextSeq, finished_ms: end }: StoredRun): void {
    const finished = end === null ? {} : { finishedAt: end };
    this.#runs.set(id, { epoch, triedEpoch: epoch, firstSeq, nextSeq, ...finished });
    this.replaced.set(id, firstSeq);
  }

  /** From here on the write may be in the database. */
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
