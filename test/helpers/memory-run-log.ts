import {
  PmlError,
  type PrunePolicy,
  type RunAppend,
  type RunDamage,
  type RunEvent,
  type RunId,
  type RunLog,
} from '../../src/core/index.js';

type Row = { events: readonly RunEvent[]; owner: MemoryRunLog | undefined };

/** What several processes share: the runs on it outlive each of them. Oldest first. */
class MemoryDisk {
  readonly rows = new Map<RunId, Row>();
}

/**
 * The journal in memory, seen by one process. It can be slow, can fail, and the process can die;
 * `another()` is the next process on the same disk.
 */
export class MemoryRunLog implements RunLog {
  readonly #disk: MemoryDisk;
  readonly #open = new Set<Promise<void>>();
  #isAlive = true;
  #isClosed = false;
  /** What was acknowledged, each write for itself. */
  readonly writes: (readonly RunEvent[])[] = [];
  /** What a write waits for, if anything. */
  gate: (events: readonly RunEvent[]) => Promise<void> | undefined = () => undefined;
  /** Which writes fail. */
  fails: (events: readonly RunEvent[]) => boolean = () => false;

  constructor(disk = new MemoryDisk()) {
    this.#disk = disk;
  }

  another(): MemoryRunLog {
    return new MemoryRunLog(this.#disk);
  }

  /** Nothing that was not acknowledged by now will ever be. */
  crash(): void {
    this.#isAlive = false;
  }

  /** Puts events there as if a process had written them and was gone. */
  put(run: RunId, events: readonly RunEvent[]): void {
    this.#disk.rows.set(run, { events, owner: undefined });
  }

  /** Runs of which a test says that something is lost. */
  readonly damage = new Map<RunId, RunDamage>();

  damageOf(run: RunId): RunDamage | undefined {
    return this.damage.get(run);
  }

  problems(): readonly string[] {
    return [];
  }

  append(run: RunId, events: readonly RunEvent[]): Promise<void> {
    const written = this.#write(run, events);
    this.#open.add(written);
    const forget = () => this.#open.delete(written);
    written.then(forget, forget);
    return written;
  }

  /** Which lines are not taken at once. */
  refuses: () => boolean = () => false;

  /** How many runs each write had that was handed over. */
  readonly handed: number[] = [];

  handOver(appends: readonly RunAppend[]): boolean {
    if (this.refuses() || !this.#isAlive || this.#isClosed) return false;
    for (const { run, events } of appends) this.#put(run, copied(events));
    this.handed.push(appends.length);
    return true;
  }

  bytesOf(): undefined {
    return undefined;
  }

  async #write(run: RunId, events: readonly RunEvent[]): Promise<void> {
    if (this.#isClosed) throw new PmlError('JOURNAL_FAILED', 'the journal is closed');
    if (events.length === 0) return;
    // A real one writes text, and at once: what changes later is not written.
    const copy = copied(events);
    await this.gate(copy);
    if (!this.#isAlive) throw new PmlError('JOURNAL_FAILED', 'the process is gone');
    if (this.fails(copy)) throw new PmlError('JOURNAL_FAILED', 'no space left on the disk');
    if (copy.some(({ type }) => type === 'task-progress')) {
      throw new PmlError('JOURNAL_FAILED', 'progress is not written down');
    }
    this.#put(run, copy);
  }

  #put(run: RunId, copy: readonly RunEvent[]): void {
    const row = this.#disk.rows.get(run);
    if (row && this.#isTaken(row) && !isFinished(row)) {
      throw new PmlError('JOURNAL_FAILED', `run ${run} belongs to another process`);
    }
    const all = [...(row?.events ?? []), ...copy];
    const from = all.findLastIndex(({ type }) => type === 'run-checkpoint');
    this.#disk.rows.set(run, { events: all.slice(Math.max(0, from)), owner: this });
    this.writes.push(copy);
  }

  async read(run: RunId): Promise<readonly RunEvent[]> {
    return this.#disk.rows.get(run)?.events ?? [];
  }

  async list({ limit }: { limit: number }): Promise<readonly RunId[]> {
    return [...this.#disk.rows.keys()].toReversed().slice(0, limit);
  }

  async claim(): Promise<readonly RunId[]> {
    const open = [...this.#disk.rows].filter(([, row]) => !isFinished(row) && !this.#isTaken(row));
    for (const [, row] of open) row.owner = this;
    return open.map(([run]) => run);
  }

  async prune({ keepRuns, endedBefore }: PrunePolicy): Promise<number> {
    const finished = [...this.#disk.rows].filter(([, row]) => isFinished(row)).toReversed();
    const gone = finished.filter(([, row], place) => place >= keepRuns || endOf(row) < endedBefore);
    for (const [run] of gone) this.#disk.rows.delete(run);
    return gone.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#open);
    this.#isAlive = false;
  }

  #isTaken({ owner }: Row): boolean {
    return owner !== undefined && owner !== this && owner.#isAlive;
  }
}

function copied(events: readonly RunEvent[]): readonly RunEvent[] {
  try {
    return JSON.parse(JSON.stringify(events)) as RunEvent[];
  } catch (cause) {
    throw new PmlError('JOURNAL_FAILED', 'an event is not JSON', { cause });
  }
}

function endOf({ events }: Row): number {
  const last = events.at(-1);
  if (last?.type === 'run-finished') return last.at;
  return last?.type === 'run-checkpoint' ? (last.state.finished?.at ?? Infinity) : Infinity;
}

function isFinished(row: Row): boolean {
  return endOf(row) !== Infinity;
}
