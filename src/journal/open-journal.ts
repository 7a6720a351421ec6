import { chmod, mkdir, readdir, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Logger } from '../core/index.js';
import type { Disk, JournalFile } from './disk.js';
import type { KnownLength, SegmentFile } from './examine-segment.js';
import { loadSegment, type LoadOptions, readSegmentFile } from './load-segment.js';
import { type JournalMark, readMark, writeMark } from './mark.js';
import { RunIndex } from './run-index.js';
import {
  fileNameOf,
  isRewritten,
  missingNumbers,
  parseFileName,
  resolveSegments,
  type Segment,
  type SegmentName,
} from './segment.js';

export interface OpenedJournal {
  readonly segments: Segment[];
  readonly index: RunIndex;
  /** What is missing or broken, in words; nothing if all is there. */
  readonly problems: readonly string[];
  /** The number of the last segment there ever was. */
  readonly lastNumber: number;
  /** The last segment, if it may be written on. */
  readonly active: { readonly segment: Segment; readonly file: JournalFile } | undefined;
}

/** A rewritten segment that is not complete. */
export const DRAFT_ENDING = '.draft';
const PRIVATE_DIRECTORY = 0o700;

/** Reads the whole journal once. Interrupted at any point, the next opening finds the same. */
export async function openJournal(options: {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: Logger;
  /** Where it is written how far the journal reaches. */
  readonly markPath?: string | undefined;
}): Promise<OpenedJournal> {
  const { directory, disk, log, markPath } = options;
  await prepareDirectory(directory, disk);
  const mark = markPath === undefined ? undefined : await readMark(markPath, log);
  const files = await readSegmentFiles(directory, await tidy(directory));
  const index = new RunIndex();
  const problems: string[] = [];
  const segments = await loadAll(files, mark, { ...options, index, problems });
  const last = segments.at(-1);
  if (markPath !== undefined && !mark && last) {
    await writeMark(markPath, { segment: last.to, bytes: 0 }, { disk, log });
  }
  return {
    segments,
    index,
    problems,
    // Without any segment nothing depends on the numbers of those that are gone.
    lastNumber: last ? Math.max(last.to, mark?.segment ?? 0) : 0,
    active: isLast(last, mark) ? await reopenLast(last, disk) : undefined,
  };
}

export async function readSegmentFiles(
  directory: string,
  names: readonly SegmentName[],
): Promise<readonly SegmentFile[]> {
  const files: SegmentFile[] = [];
  for (const name of names) files.push(await readSegmentFile(directory, name));
  return files;
}

/** Segments that were written and are not there: in between, or at the end if the mark says so. */
export function missingSegments(
  names: readonly SegmentName[],
  mark: JournalMark | undefined,
): readonly number[] {
  const reached = names.at(-1)?.to ?? 0;
  const after = Math.max(0, (mark?.segment ?? 0) - reached);
  return [
    ...missingNumbers(names),
    ...Array.from({ length: after }, (_, place) => reached + 1 + place),
  ];
}

/** What others than a segment itself say of its length. */
export function knownLength(
  file: SegmentFile,
  next: SegmentFile | undefined,
  mark: JournalMark | undefined,
): KnownLength {
  const { name, size } = file;
  const isMarked = !next && mark?.segment === name.to && !isRewritten(name);
  const syncedBytes = isMarked ? mark.bytes : 0;
  // It had been longer: that is no write that was cut off.
  if (syncedBytes > size) return { countedBytes: syncedBytes, syncedBytes };
  return { countedBytes: countedBytes(file, next), syncedBytes };
}

/** A segment behind which others are missing must not be written on. */
function isLast(last: Segment | undefined, mark: JournalMark | undefined): boolean {
  return last !== undefined && last.to >= (mark?.segment ?? 0);
}

async function prepareDirectory(directory: string, disk: Disk): Promise<void> {
  const made = await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  await chmod(directory, PRIVATE_DIRECTORY);
  if (made) await disk.syncDirectory(dirname(made));
}

/** Removes what an interrupted rewriting left, and names what counts, in order. */
async function tidy(directory: string): Promise<readonly SegmentName[]> {
  const all = await readdir(directory);
  for (const name of all) if (name.endsWith(DRAFT_ENDING)) await rm(join(directory, name));
  const { current, replaced } = resolveSegments(all.flatMap((name) => parseFileName(name) ?? []));
  for (const name of replaced) await unlink(join(directory, fileNameOf(name)));
  return current;
}

async function loadAll(
  files: readonly SegmentFile[],
  mark: JournalMark | undefined,
  options: LoadOptions,
): Promise<Segment[]> {
  const missing = missingSegments(
    files.map(({ name }) => name),
    mark,
  );
  const segments: Segment[] = [];
  for (const [at, file] of files.entries()) {
    for (const number of missing.filter(isBetween(files[at - 1], file))) {
      reportMissing(number, options);
    }
    const segment = await loadSegment(file, knownLength(file, files[at + 1], mark), options);
    if (segment) segments.push(segment);
    // Killed before its first line was written: nothing was ever acknowledged in it.
    else await unlink(file.path);
  }
  for (const number of missing.filter(isBetween(files.at(-1)))) reportMissing(number, options);
  return segments;
}

/** Whether a number lies behind one segment and, if there is one, before the next. */
export function isBetween(
  before: SegmentFile | undefined,
  after?: SegmentFile,
): (number: number) => boolean {
  return (number) => number > (before?.name.to ?? 0) && number < (after?.name.from ?? Infinity);
}

export function pathOf(directory: string, number: number): string {
  return join(directory, fileNameOf({ from: number, to: number, generation: 0 }));
}

function reportMissing(number: number, options: LoadOptions): void {
  const { directory, index, log, problems } = options;
  const path = pathOf(directory, number);
  problems.push(`${path} is missing`);
  log.error('a segment of the run journal is missing; runs it may concern are not gone on with', {
    path,
  });
  index.loseUnknown(`${path} is missing`);
}

/** What a segment's successor says of its length. What was rewritten is whole by itself. */
function countedBytes({ name, size }: SegmentFile, next?: SegmentFile): number | undefined {
  if (!next || isRewritten(name)) return next ? size : undefined;
  return next.head?.previous.to === name.to ? next.head.previous.bytes : size;
}

async function reopenLast(last: Segment | undefined, disk: Disk): Promise<OpenedJournal['active']> {
  if (!last || isRewritten(last) || last.isDamaged) return undefined;
  return { segment: last, file: await disk.openExisting(last.path) };
}
