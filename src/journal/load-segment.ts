import { constants } from 'node:fs';
import { copyFile, type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Logger } from '../core/index.js';
import { cutFile, type Disk } from './disk.js';
import { MAX_HEAD_BYTES, parseSegmentHead, type SegmentHead } from './record.js';
import type { RunIndex } from './run-index.js';
import { type Found, holdsZeros, scanSegment } from './scan-segment.js';
import {
  createSegment,
  fileNameOf,
  isRewritten,
  type Segment,
  type SegmentName,
} from './segment.js';

/** A segment as it lies on disk, before anything of it is believed. */
export interface SegmentFile {
  readonly name: SegmentName;
  readonly path: string;
  readonly size: number;
  /** Nothing if its first line is broken. */
  readonly head: (SegmentHead & { length: number }) | undefined;
}

export interface LoadOptions {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: Logger;
  readonly index: RunIndex;
}

type Loss = Extract<Found, { kind: 'loss' }>;

export async function readSegmentFile(directory: string, name: SegmentName): Promise<SegmentFile> {
  const path = join(directory, fileNameOf(name));
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD_BYTES), 0, undefined, 0);
    return { name, path, size, head: parseSegmentHead(buffer.subarray(0, bytesRead)) };
  } finally {
    await file.close();
  }
}

/**
 * Enters what a segment holds into the index. `countedBytes` is what its successor says of its
 * length; without a successor, a write that was cut off by the end of process or machine is removed.
 * Gives back nothing if there was nothing else in it.
 */
export async function loadSegment(
  found: SegmentFile,
  countedBytes: number | undefined,
  options: LoadOptions,
): Promise<Segment | undefined> {
  const { path, size, name } = found;
  const isEnd = countedBytes === undefined && !isRewritten(name);
  const end = Math.min(size, countedBytes ?? size);
  const file = await open(path, 'r');
  try {
    const contents: Found[] = [];
    for await (const one of scanSegment(file, found.head?.length ?? 0, end)) contents.push(one);
    const cut = isEnd ? await findCut(file, contents) : undefined;
    const kept = cut === undefined ? contents : contents.filter(({ offset }) => offset < cut);
    const counted = cut ?? end;
    if (counted < size) await cutTail(found, counted, countedBytes, options);
    if (!found.head && kept.length === 0 && isEnd) return undefined;
    return await enter(found, kept, { counted, missing: (countedBytes ?? 0) - size, options });
  } finally {
    await file.close();
  }
}

/**
 * Where the last write was cut off, if it was. A line that is whole and wrong, or one with a later
 * write behind it, had been on disk: that is damage, not a cut.
 */
async function findCut(file: FileHandle, contents: readonly Found[]): Promise<number | undefined> {
  const lastWrite = contents.findLastIndex((one) => one.kind === 'record' && one.head.startsWrite);
  for (const one of contents.slice(lastWrite + 1)) {
    if (one.kind === 'record') continue;
    if (one.isCutOff || (await holdsZeros(file, one.offset, one.offset + one.bytes))) {
      return one.offset;
    }
  }
  return undefined;
}

async function cutTail(
  { path, size }: SegmentFile,
  counted: number,
  countedBytes: number | undefined,
  { disk, log }: LoadOptions,
): Promise<void> {
  const why = countedBytes === undefined ? 'was cut off' : 'had failed';
  log.warn(`removed the end of a journal segment: a write that ${why}`, {
    path,
    offset: counted,
    bytes: size - counted,
  });
  await cutFile(disk, path, counted);
}

async function enter(
  found: SegmentFile,
  contents: readonly Found[],
  { counted, missing, options }: { counted: number; missing: number; options: LoadOptions },
): Promise<Segment> {
  const { index, directory } = options;
  const losses = contents.filter((one): one is Loss => one.kind === 'loss');
  if (missing > 0) losses.push({ kind: 'loss', offset: counted, bytes: missing, isCutOff: true });
  const segment = createSegment(directory, found.name, {
    bytes: counted,
    headBytes: found.head?.length ?? 0,
    previous: found.head?.previous ?? { to: found.name.from - 1, bytes: 0 },
    isDamaged: losses.length > 0,
  });
  for (const one of contents) {
    if (one.kind === 'record') {
      index.add(one.head, { segment, offset: one.offset, bytes: one.bytes });
    } else enterLoss(one, segment.path, options);
  }
  if (missing > 0) enterLoss(losses.at(-1)!, segment.path, options);
  if (losses.length > 0) await copyAside(segment.path, losses[0]!.offset, options.log);
  return segment;
}

function enterLoss({ head, offset, bytes }: Loss, path: string, { index, log }: LoadOptions): void {
  const place = `${path}, byte ${offset}`;
  const run = head?.run;
  log.error(
    'part of the run journal cannot be read; unfinished runs it may concern are not gone on with',
    { path, offset, bytes, run: run ?? 'unknown' },
  );
  if (head) index.lose(head, place);
  else index.loseUnknown(place);
}

/** For somebody to look at: the segment itself is rewritten once nothing depends on it. */
async function copyAside(path: string, offset: number, log: Logger): Promise<void> {
  const copy = `${path}.corrupt-${offset}`;
  try {
    await copyFile(path, copy, constants.COPYFILE_EXCL);
    log.error('a damaged journal segment was copied aside', { path, copy: basename(copy) });
  } catch (error) {
    // Made when it was opened before.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    log.error('a damaged journal segment could not be copied aside', { path, error });
  }
}
