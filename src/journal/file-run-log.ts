import {
  type Logger,
  PmlError,
  type PrunePolicy,
  type RunAppend,
  type RunDamage,
  type RunEvent,
  type RunId,
  type RunLog,
} from '../core/index.js';
import { compact } from './compact.js';
import { type Disk, journalFailed, realDisk } from './disk.js';
import { draftLines, pendingEvents, pendingForgotten, type PendingRecord } from './draft-lines.js';
import { GroupCommit } from './group-commit.js';
import { writeMark } from './mark.js';
import { type OpenedJournal, openJournal } from './open-journal.js';
import { MOVED, readPlaces } from './read-run.js';
import { isNameable } from './record.js';
import type { DamagedRun, RunIndex } from './run-index.js';
import { SegmentWriter } from './segment-writer.js';
import type { Segment } from './segment.js';

export interface FileRunLogOptions {
  /** Its own directory, which no other process writes to; created if missing. */
  readonly directory: string;
  readonly log: Logger;
  readonly now?: () => number;
  /** The journal starts a new file when the last one has this many bytes. */
  readonly segmentBytes?: number;
  readonly disk?: Disk;
  /** Beside the directory: says how far the journal reaches, so that PML notices a missing end. */
  readonly markPath?: string | undefined;
}

export interface FileRunLog extends RunLog {
  /** Unfinished runs with lost events. `claim` leaves them out, `read` gives the rest. */
  damaged(): readonly DamagedRun[];
}

/** Small enough to be rewritten in a moment, large enough for few files. */
const SEGMENT_BYTES = 16 << 20;

/** Larger events are not written synchronously. */
const HANDED_BYTES = 64 << 10;
const SYNC_WITHIN_MS = 500;

/** Opens the journal in a directory. The caller holds the lock of the data directory. */
export async function openFileRunLog({
  directory,
  log,
  now = Date.now,
  segmentBytes = SEGMENT_BYTES,
  disk = realDisk,
  markPath,
}: FileRunLogOptions): Promise<FileRunLog> {
  try {
    const opened = await openJournal({ directory, log, disk, markPath });
    return new JournalRunLog(opened, { directory, log, now, segmentBytes, disk, markPath });
  } catch (error) {
    throw journalFailed('open', directory, error);
  }
}

class JournalRunLog implements FileRunLog {
  readonly #options: Required<FileRunLogOptions>;
  readonly #segments: Segment[];
  readonly #index: RunIndex;
  readonly #writer: SegmentWriter;
  readonly #commits: GroupCommit<PendingRecord>;
  readonly #problems: readonly string[];
  readonly #closing = new AbortController();
  /** Pruning and freeing space, one after another. */
  #upkeep: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;
  #syncTimer: NodeJS.Timeout | undefined;

  constructor(opened: OpenedJournal, options: Required<FileRunLogOptions>) {
    const { segments, index, active, lastNumber, problems } = opened;
    this.#options = options;
    this.#problems = problems;
    this.#segments = segments;
    this.#index = index;
    this.#writer = new SegmentWriter({ ...options, segments, active, lastNumber });
    this.#commits = new GroupCommit((group) => this.#write(group));
  }

  async append(run: RunId, events: readonly RunEvent[]): Promise<void> {
    this.#assertOpen();
    assertWritable(run, events);
    if (events.length > 0) await this.#commits.add(encode(run, events));
  }

  handOver(appends: readonly RunAppend[]): boolean {
    this.#assertOpen();
    for (const { run, events } of appends) assertWritable(run, events);
    const group = appends.map(({ run, events }) => encode(run, events));
    if (group.reduce((sum, { bytes }) => sum + bytes, 0) > HANDED_BYTES) return false;
    const lines = this.#draft(group, { startsWrite: false });
    const places = this.#writer.hand(lines.map(({ parts }) => Buffer.concat(parts)));
    if (!places) return false;
    lines.forEach(({ head }, at) => this.#index.add(head, places[at]!));
    this.#syncSoon();
    return true;
  }

  bytesOf(run: RunId): number | undefined {
    return this.#index.places(run).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async read(run: RunId): Promise<readonly RunEvent[]> {
    this.#assertOpen();
    for (;;) {
      const places = this.#index.places(run);
      const events = await readPlaces(places);
      if (events !== MOVED) return events;
      const isSame = this.#index.places(run)[0]?.segment === places[0]?.segment;
      const path = places[0]?.segment.path ?? this.#options.directory;
      if (isSame) throw journalFailed('read', path, new Error('a file of it is gone'));
    }
  }

  async list({ limit }: { limit: number }): Promise<readonly RunId[]> {
    this.#assertOpen();
    return this.#index.newestFirst().slice(0, limit);
  }

  async claim(): Promise<readonly RunId[]> {
    this.#assertOpen();
    return this.#index.unfinished();
  }

  damaged(): readonly DamagedRun[] {
    return this.#index.damaged();
  }

  damageOf(run: RunId): RunDamage | undefined {
    return this.#index.damageOf(run);
  }

  problems(): readonly string[] {
    return this.#problems;
  }

  async prune(policy: PrunePolicy): Promise<number> {
    this.#assertOpen();
    return this.#next(async () => {
      const runs = this.#index.choosePruned(policy);
      await Promise.all(runs.map((run) => this.#commits.add(pendingForgotten(run))));
      await this.#commits.alone(() => this.#sealIfMostlyDead());
      await this.#compact();
      return runs.length;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #write(group: readonly PendingRecord[]): Promise<void> {
    const lines = this.#draft(group, { startsWrite: this.#writer.isSynced });
    const before = this.#writer.active;
    const written = await this.#writer.write(lines.flatMap(({ parts }) => parts));
    let { offset } = written;
    for (const { head, parts } of lines) {
      const bytes = parts[0].length + parts[1].length;
      this.#index.add(head, { segment: written.segment, offset, bytes });
      offset += bytes;
    }
    if (before === written.segment) return;
    void this.#next(() => this.#mark());
    if (before) void this.#next(() => this.#compact());
  }

  #draft(group: readonly PendingRecord[], options: { readonly startsWrite: boolean }) {
    const { now } = this.#options;
    return draftLines(group, (run) => this.#index.standing(run), { now, ...options });
  }

  /** Handed-over events are synced in the background, after a short delay. */
  #syncSoon(): void {
    if (this.#syncTimer) return;
    this.#syncTimer = setTimeout(() => {
      this.#syncTimer = undefined;
      this.#commits
        .alone(() => this.#writer.sync())
        .catch((error: unknown) => {
          this.#options.log.error('the run journal could not be synced', { error });
        });
    }, SYNC_WITHIN_MS);
    this.#syncTimer.unref();
  }

  /** Records how far everything is on disk. */
  async #mark(): Promise<void> {
    const { markPath } = this.#options;
    const last = this.#segments.at(-1);
    if (markPath === undefined || !last) return;
    await this.#commits.alone(() => this.#writer.sync());
    await writeMark(markPath, { segment: last.to, bytes: last.bytes }, this.#options);
  }

  /** Never rejects, so that later steps still run. */
  #next<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#upkeep.then(task);
    this.#upkeep = result.catch(() => {
      // The caller gets the error.
    });
    return result;
  }

  async #compact(): Promise<void> {
    try {
      const { signal } = this.#closing;
      const parts = { index: this.#index, segments: this.#segments, signal };
      await compact(this.#writer.active, { ...this.#options, ...parts });
    } catch (error) {
      // Only space is lost, and PML tries again.
      this.#options.log.warn('could not give space of the run journal back', { error });
    }
  }

  async #sealIfMostlyDead(): Promise<void> {
    const { active } = this.#writer;
    const isMostlyDead = active && active.liveBytes * 2 < active.bytes - active.headBytes;
    if (isMostlyDead) await this.#writer.seal();
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#syncTimer);
    await this.#commits.idle();
    await this.#upkeep;
    await this.#commits.idle();
    await this.#mark();
    await this.#writer.seal();
  }

  #assertOpen(): void {
    if (!this.#closing.signal.aborted) return;
    throw new PmlError('JOURNAL_FAILED', 'The run journal is closed; nothing was written.');
  }
}

function assertWritable(run: RunId, events: readonly RunEvent[]): void {
  if (!isNameable(run)) {
    throw new PmlError('JOURNAL_FAILED', `The name of run ${run.slice(0, 40)}… is too long.`);
  }
  if (events.some(({ type }) => type === 'task-progress')) {
    throw new PmlError('JOURNAL_FAILED', 'Progress of a task is not written down.');
  }
}

function encode(run: RunId, events: readonly RunEvent[]): PendingRecord {
  try {
    return pendingEvents(run, events);
  } catch (error) {
    throw new PmlError(
      'JOURNAL_FAILED',
      `Events of run ${run} cannot be written as JSON: ${(error as Error).message}`,
      { cause: error, details: { run } },
    );
  }
}
