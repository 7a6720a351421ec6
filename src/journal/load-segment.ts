import { constants } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Logger } from '../core/index.js';
import { cutFile, type Disk } from './disk.js';
import {
  describeLoss,
  enterSegment,
  examineSegment,
  type KnownLength,
  type Loss,
  type SegmentFile,
} from './examine-segment.js';
import { MAX_HEAD_BYTES, parseSegmentHead } from './record.js';
import type { RunIndex } from './run-index.js';
import { fileNameOf, type Segment, type SegmentName } from './segment.js';

export interface LoadOptions {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: Logger;
  readonly index: RunIndex;
  /** Gets a description of what is missing or broken. */
  readonly problems: string[];
}

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
 * Enters the content of a segment into the index. A write that was cut off by the end of process
 * or machine, and one that its successor does not count, is removed. Returns undefined if the
 * segment held nothing else.
 */
export async function loadSegment(
  found: SegmentFile,
  known: KnownLength,
  options: LoadOptions,
): Promise<Segment | undefined> {
  const { directory, index, log } = options;
  const examined = await examineSegment(found, known);
  if (examined.counted < found.size) await cutTail(found, examined.counted, known, options);
  if (examined.isEmptyEnd) return undefined;
  const { segment, losses } = enterSegment(directory, found, examined, index);
  for (const loss of losses) {
    reportLoss(loss, segment.path, log);
    options.problems.push(describeLoss(loss, segment.path));
  }
  if (losses.length > 0) await copyAside(segment.path, losses[0]!.offset, log);
  return segment;
}

async function cutTail(
  { path, size }: SegmentFile,
  counted: number,
  { countedBytes }: KnownLength,
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

function reportLoss({ head, suspect, offset, bytes }: Loss, path: string, log: Logger): void {
  log.error(
    'part of the run journal cannot be read; unfinished runs it may concern are not gone on with',
    { path, offset, bytes, run: head?.run ?? suspect?.run ?? 'unknown' },
  );
}

/** For the user to inspect: the segment itself is rewritten once nothing depends on it. */
async function copyAside(path: string, offset: number, log: Logger): Promise<void> {
  const copy = `${path}.corrupt-${offset}`;
  try {
    await copyFile(path, copy, constants.COPYFILE_EXCL);
    log.error('a damaged journal segment was copied aside', { path, copy: basename(copy) });
  } catch (error) {
    // Created by an earlier opening.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    log.error('a damaged journal segment could not be copied aside', { path, error });
  }
}
