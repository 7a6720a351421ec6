import { type FileHandle, open } from 'node:fs/promises';

import { MAX_HEAD_BYTES, readRunName, type SegmentHead } from './record.js';
import type { RunIndex } from './run-index.js';
import { type Found, holdsHole, scanSegment } from './scan-segment.js';
import { createSegment, isRewritten, type Segment, type SegmentName } from './segment.js';

/** A segment as it lies on disk, before anything of it is believed. */
export interface SegmentFile {
  readonly name: SegmentName;
  readonly path: string;
  readonly size: number;
  /** Nothing if its first line is broken. */
  readonly head: (SegmentHead & { length: number }) | undefined;
}

/** What is known of the length of a segment, other than from itself. */
export interface KnownLength {
  /** All that counts of it, by its successor, or by a mark that it does not reach. */
  readonly countedBytes: number | undefined;
  /** So much of the last one was on disk for certain. */
  readonly syncedBytes: number;
}

export type Loss = Extract<Found, { kind: 'loss' }> & {
  /** The run that a broken line still seems to name, and when it began. */
  readonly suspect?: { readonly run: string; readonly startedAt: number };
  /** The file ends before it. */
  readonly isMissing?: boolean;
};

export interface Examined {
  readonly contents: readonly (Exclude<Found, { kind: 'loss' }> | Loss)[];
  /** How much of the file counts. */
  readonly counted: number;
  /** Bytes that should follow what is there. */
  readonly missing: number;
  /** Where a write begins that a crash cut off, if one did. */
  readonly cut: number | undefined;
  /** It was begun, and nothing was ever acknowledged in it. */
  readonly isEmptyEnd: boolean;
}

/** Reads a segment and tells damage from a last write that was cut off. Changes nothing. */
export async function examineSegment(
  { path, size, name, head }: SegmentFile,
  { countedBytes, syncedBytes }: KnownLength,
): Promise<Examined> {
  const isEnd = countedBytes === undefined && !isRewritten(name);
  const end = Math.min(size, countedBytes ?? size);
  const file = await open(path, 'r');
  try {
    const found: Found[] = [];
    for await (const one of scanSegment(file, head?.length ?? 0, end)) found.push(one);
    const cut = isEnd ? await findCut(file, found, { size, syncedBytes }) : undefined;
    const kept = cut === undefined ? found : found.filter(({ offset }) => offset < cut);
    return {
      contents: await Promise.all(
        kept.map(async (one) => (one.kind === 'loss' ? suspected(file, one) : one)),
      ),
      counted: cut ?? end,
      missing: Math.max(0, (countedBytes ?? 0) - size),
      cut,
      isEmptyEnd: isEnd && !head && kept.length === 0,
    };
  } finally {
    await file.close();
  }
}

/**
 * Where the last write was cut off, if it was. A line that is whole and wrong, one with a later write
 * behind it, and one that the mark covers had been on disk: that is damage, not a cut. A line without
 * its end may be either, and is taken for a cut: that is what every crash of the machine can leave.
 */
async function findCut(
  file: FileHandle,
  contents: readonly Found[],
  { size, syncedBytes }: { readonly size: number; readonly syncedBytes: number },
): Promise<number | undefined> {
  const lastWrite = contents.findLastIndex((one) => one.kind === 'record' && one.head.startsWrite);
  for (const one of contents.slice(lastWrite + 1)) {
    if (one.kind === 'record' || one.offset < syncedBytes) continue;
    const end = one.offset + one.bytes;
    if (one.isCutOff || (await holdsHole(file, { start: one.offset, end, size }))) {
      return one.offset;
    }
  }
  return undefined;
}

async function suspected(file: FileHandle, loss: Loss): Promise<Loss> {
  if (loss.head) return loss;
  const wanted = Math.min(loss.bytes, MAX_HEAD_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, loss.offset);
  const suspect = readRunName(buffer.subarray(0, bytesRead));
  return suspect ? { ...loss, suspect } : loss;
}

/** Enters what a segment holds into the index, and gives back what is lost of it. */
export function enterSegment(
  directory: string,
  { name, head }: Pick<SegmentFile, 'name' | 'head'>,
  { contents, counted, missing }: Examined,
  index: RunIndex,
): { readonly segment: Segment; readonly losses: readonly Loss[] } {
  const losses = contents.filter((one): one is Loss => one.kind === 'loss');
  if (missing > 0) {
    const end = { offset: counted, bytes: missing };
    losses.push({ kind: 'loss', ...end, isCutOff: true, isMissing: true });
  }
  const segment = createSegment(directory, name, {
    // What should be there: the segment after it says so too, so that the loss is seen again.
    bytes: counted + missing,
    headBytes: head?.length ?? 0,
    previous: head?.previous ?? { to: name.from - 1, bytes: 0 },
    isDamaged: losses.length > 0,
  });
  for (const one of contents) {
    if (one.kind === 'record') {
      index.add(one.head, { segment, offset: one.offset, bytes: one.bytes });
    } else enterLoss(one, segment.path, index);
  }
  if (missing > 0) enterLoss(losses.at(-1)!, segment.path, index);
  return { segment, losses };
}

/** For a person: where it is, how much, and whose it was. */
export function describeLoss(loss: Loss, path: string): string {
  const { head, suspect, offset, bytes, isMissing } = loss;
  if (isMissing) return `${path} is ${bytes} bytes shorter than it was`;
  const run = head?.run ?? suspect?.run;
  const whose = run === undefined ? 'of an unknown run' : `of ${run}`;
  return `${path}, byte ${offset}: a record ${whose} cannot be read (${bytes} bytes)`;
}

function enterLoss({ head, suspect, offset }: Loss, path: string, index: RunIndex): void {
  const place = `${path}, byte ${offset}`;
  if (head) return index.lose(head, place);
  index.loseUnknown(place);
  if (suspect) index.suspect(suspect, place);
}
