import { unlink } from 'node:fs/promises';

import type { Logger } from '../core/index.js';
import { type Disk, type JournalFile, journalFailed, writeAll } from './disk.js';
import { encodeSegmentHead } from './record.js';
import { createSegment, type Segment } from './segment.js';

interface Active {
  readonly segment: Segment;
  readonly file: JournalFile;
}

/**
 * The end of the journal. `write` resolves when the bytes are on disk; when it rejects, they are
 * neither in what counts of the file nor in what the next opening will believe: they are cut off
 * again, and if not even that is possible, a new segment says where the old one ends.
 */
export class SegmentWriter {
  readonly #directory: string;
  readonly #disk: Disk;
  readonly #log: Logger;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  readonly #lastNumber: number;
  #active: Active | undefined;

  /** `segments` is shared with its owner: those begun are added to it. */
  constructor(options: {
    readonly directory: string;
    readonly disk: Disk;
    readonly log: Logger;
    readonly segmentBytes: number;
    readonly segments: Segment[];
    readonly active: Active | undefined;
    /** The number of the last segment there ever was, which may be gone. */
    readonly lastNumber?: number;
  }) {
    this.#lastNumber = options.lastNumber ?? 0;
    this.#directory = options.directory;
    this.#disk = options.disk;
    this.#log = options.log;
    this.#segmentBytes = options.segmentBytes;
    this.#segments = options.segments;
    this.#active = options.active;
  }

  /** The segment that is still written to, if there is one. */
  get active(): Segment | undefined {
    return this.#active?.segment;
  }

  /** Not to be called before the last call is settled, here and below. */
  async write(parts: readonly Buffer[]): Promise<{ segment: Segment; offset: number }> {
    if (this.#active && this.#active.segment.bytes >= this.#segmentBytes) await this.seal();
    return this.#active ? this.#extend(this.#active, parts) : this.#begin(parts);
  }

  /** Begins a new segment with the next write. */
  async seal(): Promise<void> {
    const active = this.#active;
    this.#active = undefined;
    if (!active) return;
    try {
      await active.file.close();
    } catch (error) {
      // Everything in it was synced, so nothing hangs on closing.
      this.#log.warn('could not close a journal segment', { path: active.segment.path, error });
    }
  }

  async #extend({ segment, file }: Active, parts: readonly Buffer[]) {
    const offset = segment.bytes;
    try {
      const bytes = await writeAll(file, parts, offset);
      await file.datasync();
      segment.bytes += bytes;
      return { segment, offset };
    } catch (error) {
      await this.#takeBack(segment, file);
      throw journalFailed('write', segment.path, error);
    }
  }

  async #takeBack(segment: Segment, file: JournalFile): Promise<void> {
    try {
      await file.truncate(segment.bytes);
      await file.datasync();
    } catch (error) {
      this.#log.warn('could not cut a failed write off; a new segment will say where it begins', {
        path: segment.path,
        error,
      });
      segment.hasRejectedTail = true;
      await this.seal();
    }
  }

  async #begin(parts: readonly Buffer[]) {
    const last = this.#segments.at(-1);
    // A number is not given twice: that one is missing must stay visible.
    const number = Math.max(last?.to ?? 0, this.#lastNumber) + 1;
    const previous = { to: last?.to ?? 0, bytes: last?.bytes ?? 0 };
    const head = encodeSegmentHead({ previous });
    const segment = createSegment(
      this.#directory,
      { from: number, to: number, generation: 0 },
      { bytes: head.length, headBytes: head.length, previous },
    );
    let file: JournalFile | undefined;
    try {
      file = await this.#disk.create(segment.path);
      segment.bytes = await writeAll(file, [head, ...parts], 0);
      await file.datasync();
      await this.#disk.syncDirectory(this.#directory);
    } catch (error) {
      if (file) await this.#discard(segment.path, file);
      throw journalFailed('write', segment.path, error);
    }
    this.#active = { segment, file };
    this.#segments.push(segment);
    return { segment, offset: head.length };
  }

  /** Emptying and removing each do it; the next attempt takes the same name and empties it again. */
  async #discard(path: string, file: JournalFile): Promise<void> {
    const empty = async () => {
      try {
        await file.truncate(0);
      } finally {
        await file.close();
      }
    };
    const results = await Promise.allSettled([empty(), unlink(path)]);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      this.#log.warn('could not discard a new journal segment', { path, error: result.reason });
    }
  }
}
