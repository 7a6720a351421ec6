import { unlink } from 'node:fs/promises';

import type { Logger } from '../core/index.js';
import { type Disk, type JournalFile, journalFailed, writeAll, writeAllNow } from './disk.js';
import { encodeSegmentHead } from './record.js';
import { createSegment, type Place, type Segment } from './segment.js';

interface Active {
  readonly segment: Segment;
  readonly file: JournalFile;
}

/** A line that the system has and the disk may not have. */
interface Handed {
  readonly line: Buffer;
  readonly place: Place;
}

/**
 * The end of the journal. `write` resolves when the bytes are on disk; when it rejects, they are
 * neither in what counts of the file nor in what the next opening will believe: they are cut off
 * again, and if not even that is possible, a new segment says where the old one ends. `hand` puts a
 * line behind whatever is there and does not wait for the disk; the next sync makes it last.
 */
export class SegmentWriter {
  readonly #directory: string;
  readonly #disk: Disk;
  readonly #log: Logger;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  readonly #lastNumber: number;
  #active: Active | undefined;
  /** While bytes are written or cut off, nothing can be put behind them. */
  #isMoving = false;
  /** A line that could not be handed over as a whole left bytes behind the end. */
  #hasTail = false;
  /** Lines handed over since the last sync began. */
  #handed: Handed[] = [];

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

  /** Whether everything that was handed over is on disk. */
  get isSynced(): boolean {
    return this.#handed.length === 0;
  }

  /** Not to be called before the last call is settled, here and below. */
  async write(parts: readonly Buffer[]): Promise<{ segment: Segment; offset: number }> {
    if (this.#active && this.#active.segment.bytes >= this.#segmentBytes) await this.seal();
    return this.#active ? this.#extend(this.#active, parts) : this.#begin(parts);
  }

  /** Hands lines to the system, all or none; nothing if they cannot be put anywhere right now. */
  hand(lines: readonly Buffer[]): readonly Place[] | undefined {
    if (!this.#active || this.#isMoving || this.#hasTail) return undefined;
    const { segment, file } = this.#active;
    if (segment.bytes >= this.#segmentBytes) return undefined;
    const [first] = lines;
    const whole = first && lines.length === 1 ? first : Buffer.concat(lines);
    try {
      writeAllNow(file, whole, segment.bytes);
    } catch (error) {
      this.#log.warn('could not hand a line to the journal', { path: segment.path, error });
      this.#hasTail = true;
      return undefined;
    }
    return lines.map((line) => {
      const place: Place = { segment, offset: segment.bytes, bytes: line.length };
      segment.bytes += line.length;
      this.#handed.push({ line, place });
      return place;
    });
  }

  /** Makes everything last that was handed over before. */
  async sync(): Promise<void> {
    const active = this.#active;
    if (!active || this.isSynced) return;
    try {
      await this.#syncFile(active.file);
    } catch (error) {
      throw journalFailed('write', active.segment.path, error);
    }
  }

  /** Begins a new segment with the next write. */
  async seal(): Promise<void> {
    const active = this.#active;
    if (!active) return;
    this.#isMoving = true;
    await this.sync().catch((error: unknown) =>
      this.#log.error('the last lines of a journal segment may not be on disk', { error }),
    );
    this.#active = undefined;
    this.#handed = [];
    this.#isMoving = false;
    try {
      await active.file.close();
    } catch (error) {
      // Everything in it was synced, so nothing hangs on closing.
      this.#log.warn('could not close a journal segment', { path: active.segment.path, error });
    }
  }

  async #extend({ segment, file }: Active, parts: readonly Buffer[]) {
    const offset = segment.bytes;
    const handedBefore = this.#handed.length;
    try {
      await this.#moving(async () => {
        if (this.#hasTail) await file.truncate(offset);
        this.#hasTail = false;
        segment.bytes += await writeAll(file, parts, offset);
      });
      await this.#syncFile(file);
      return { segment, offset };
    } catch (error) {
      const behind = this.#handed.splice(handedBefore);
      await this.#moving(() => this.#takeBack(segment, file, offset));
      await this.#handAgain(behind);
      throw journalFailed('write', segment.path, error);
    }
  }

  /** Lines that are handed over while it lasts are left for the next one. */
  async #syncFile(file: JournalFile): Promise<void> {
    const count = this.#handed.length;
    await file.datasync();
    this.#handed.splice(0, count);
  }

  async #moving(work: () => Promise<void>): Promise<void> {
    this.#isMoving = true;
    try {
      await work();
    } finally {
      this.#isMoving = false;
    }
  }

  async #takeBack(segment: Segment, file: JournalFile, offset: number): Promise<void> {
    segment.bytes = offset;
    try {
      await file.truncate(offset);
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

  /** Lines behind a write that was cut off went with it. */
  async #handAgain(lines: readonly Handed[]): Promise<void> {
    for (const { line, place } of lines) {
      try {
        Object.assign(place, this.hand([line])?.[0] ?? (await this.write([line])));
      } catch (error) {
        this.#log.error('a line of the journal was lost', { path: place.segment.path, error });
      }
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
