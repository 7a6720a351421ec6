import { open, rename, rm, unlink } from 'node:fs/promises';

import type { Logger, RunId } from '../core/index.js';
import { cutFile, type Disk, type JournalFile, writeAll } from './disk.js';
import { DRAFT_ENDING } from './open-journal.js';
import { encodeSegmentHead } from './record.js';
import type { RunIndex } from './run-index.js';
import { createSegment, type Place, type Segment } from './segment.js';

export interface CompactOptions {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: Logger;
  readonly segmentBytes: number;
  readonly index: RunIndex;
  /** Changed when a rewritten segment replaces others. */
  readonly segments: Segment[];
  readonly signal: AbortSignal;
}

/** What decides whether a segment is rewritten. */
export interface SegmentUse {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly liveBytes: number;
  /** Still written to, or not to be rewritten. */
  readonly isFixed: boolean;
}

interface Kept {
  readonly run: RunId;
  readonly place: Place;
  readonly isForgotten: boolean;
}

const COPY_BYTES = 1 << 20;
/** This many small neighbours are joined even if all of their content is live. */
const MANY_SMALL = 8;
const SMALL_SHARE = 1 / 8;

/**
 * Which neighbours to rewrite into one: those of which at least half is dead, so that PML never
 * copies more than it frees.
 */
export function chooseRanges(
  uses: readonly SegmentUse[],
  segmentBytes: number,
): readonly (readonly number[])[] {
  const ranges: number[][] = [];
  let range: number[] = [];
  const sum = (of: (use: SegmentUse) => number) =>
    range.reduce((total, at) => total + of(uses[at]!), 0);
  const close = () => {
    const [bytes, live] = [sum((use) => use.bytes), sum((use) => use.liveBytes)];
    const isGain = bytes > live && live * 2 <= bytes;
    if (isGain || range.length >= MANY_SMALL) ranges.push(range);
    range = [];
  };
  for (const [at, use] of uses.entries()) {
    const isWorth =
      !use.isFixed && (use.liveBytes * 2 <= use.bytes || use.bytes < segmentBytes * SMALL_SHARE);
    const follows = range.length === 0 || uses[at - 1]!.to + 1 === use.from;
    const fits = sum(({ liveBytes }) => liveBytes) + use.liveBytes <= segmentBytes;
    if (!isWorth || !follows || !fits) close();
    if (isWorth) range.push(at);
  }
  close();
  return ranges;
}

/** Frees space. Appends and reads go on meanwhile. */
export async function compact(active: Segment | undefined, options: CompactOptions): Promise<void> {
  if (!(await cutRejectedTails(options))) return;
  const { segments, segmentBytes, index, signal } = options;
  const isDamageOpen = index.damaged().length > 0;
  const uses = segments.map((segment, at) => ({
    from: segment.from,
    to: segment.to,
    bytes: segment.bytes - segment.headBytes,
    liveBytes: segment.liveBytes + neededTombstones(segment, segments.slice(0, at)),
    isFixed: segment === active || (segment.isDamaged && isDamageOpen),
  }));
  const ranges = chooseRanges(uses, segmentBytes).map((range) => range.map((at) => segments[at]!));
  for (const range of ranges) {
    if (signal.aborted) return;
    await rewrite(range, options);
  }
}

/** Only the next segment says where such a segment ends, so neither may be rewritten before. */
async function cutRejectedTails({ segments, disk, log }: CompactOptions): Promise<boolean> {
  for (const segment of segments.filter(({ hasRejectedTail }) => hasRejectedTail)) {
    try {
      await cutFile(disk, segment.path, segment.bytes);
      segment.hasRejectedTail = false;
    } catch (error) {
      log.warn('a failed write still cannot be cut off; no space is given back', {
        path: segment.path,
        error,
      });
      return false;
    }
  }
  return true;
}

/** The mark of a forgotten run is needed while records of it lie before it. */
function isNeeded(run: RunId, earlier: readonly Segment[]): boolean {
  return earlier.some(({ runs }) => runs.has(run));
}

function neededTombstones({ forgotten }: Segment, earlier: readonly Segment[]): number {
  return forgotten
    .filter(({ run }) => isNeeded(run, earlier))
    .reduce((sum, { place }) => sum + place.bytes, 0);
}

/**
 * At every instant the disk holds either the old segments or the complete new one: it gets its name
 * when it is synced, and from then on that name makes the others void.
 */
async function rewrite(range: readonly Segment[], options: CompactOptions): Promise<void> {
  const { directory, disk, log } = options;
  const kept = keptOf(range, options);
  const [first, last] = [range[0]!, range.at(-1)!];
  const head = encodeSegmentHead({ previous: first.previous });
  const next = createSegment(
    directory,
    {
      from: first.from,
      to: last.to,
      generation: Math.max(...range.map(({ generation }) => generation)) + 1,
    },
    { bytes: head.length, headBytes: head.length, previous: first.previous },
  );
  const draft = `${next.path}${DRAFT_ENDING}`;
  const offsets = await writeDraft(draft, head, kept, options);
  if (!offsets) return;
  await rename(draft, next.path);
  await disk.syncDirectory(directory);
  adopt(next, range, { kept, offsets, options });
  for (const { path } of range) {
    try {
      await unlink(path);
    } catch (error) {
      log.warn('could not remove a journal segment; the next start does', { path, error });
    }
  }
}

function keptOf(range: readonly Segment[], { index, segments }: CompactOptions): readonly Kept[] {
  const earlier = segments.slice(0, segments.indexOf(range[0]!));
  const records = index.placesIn(new Set(range)).map((one) => ({ ...one, isForgotten: false }));
  const tombstones = range.flatMap(({ forgotten }) =>
    forgotten
      .filter(({ run }) => isNeeded(run, earlier))
      .map((one) => ({ ...one, isForgotten: true })),
  );
  return [...records, ...tombstones].toSorted(
    ({ place: a }, { place: b }) => a.segment.from - b.segment.from || a.offset - b.offset,
  );
}

/** Where each record was copied to; undefined if there was no time for it. */
async function writeDraft(
  path: string,
  head: Buffer,
  kept: readonly Kept[],
  { disk, signal }: CompactOptions,
): Promise<readonly number[] | undefined> {
  const file = await disk.create(path);
  let isWhole = false;
  try {
    let end = await writeAll(file, [head], 0);
    const offsets = kept.map(({ place }) => (end += place.bytes) - place.bytes);
    let at = head.length;
    for (const stretch of stretchesOf(kept)) {
      if (signal.aborted) return undefined;
      at += await copyStretch(stretch, file, at);
    }
    await file.datasync();
    isWhole = true;
    return offsets;
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
}

/** Neighbours are copied together. */
function stretchesOf(kept: readonly Kept[]): readonly Place[] {
  const stretches: Place[] = [];
  for (const { place } of kept) {
    const last = stretches.at(-1);
    const follows = last?.segment === place.segment && last.offset + last.bytes === place.offset;
    if (last && follows) stretches.splice(-1, 1, { ...last, bytes: last.bytes + place.bytes });
    else stretches.push({ ...place });
  }
  return stretches;
}

async function copyStretch(
  { segment, offset, bytes }: Place,
  target: JournalFile,
  at: number,
): Promise<number> {
  const source = await open(segment.path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(Math.min(bytes, COPY_BYTES));
    for (let done = 0; done < bytes;) {
      const wanted = Math.min(chunk.length, bytes - done);
      const { bytesRead } = await source.read(chunk, 0, wanted, offset + done);
      if (bytesRead === 0) throw new Error(`${segment.path} ends at byte ${offset + done}`);
      done += await writeAll(target, [chunk.subarray(0, bytesRead)], at + done);
    }
    return bytes;
  } finally {
    await source.close();
  }
}

/** In one go, so that no reader sees half of it. Records that died during the copy stay dead. */
function adopt(
  next: Segment,
  range: readonly Segment[],
  {
    kept,
    offsets,
    options,
  }: { kept: readonly Kept[]; offsets: readonly number[]; options: CompactOptions },
): void {
  const { index, segments } = options;
  const alive = new Set(index.placesIn(new Set(range)).map(({ place }) => place));
  for (const [at, { run, place, isForgotten }] of kept.entries()) {
    place.segment = next;
    place.offset = offsets[at]!;
    next.bytes += place.bytes;
    next.runs.add(run);
    if (isForgotten) next.forgotten.push({ run, place });
    if (alive.has(place)) next.liveBytes += place.bytes;
  }
  segments.splice(segments.indexOf(range[0]!), range.length, next);
}
