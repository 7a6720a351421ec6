import { chmod, mkdir, readdir, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Logger } from '../core/index.js';
import type { Disk, JournalFile } from './disk.js';
import {
  loadSegment,
  type LoadOptions,
  readSegmentFile,
  type SegmentFile,
} from './load-segment.js';
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
}): Promise<OpenedJournal> {
  const { directory, disk } = options;
  await prepareDirectory(directory, disk);
  const names = await tidy(directory);
  const files: SegmentFile[] = [];
  for (const name of names) files.push(await readSegmentFile(directory, name));
  const index = new RunIndex();
  const segments = await loadAll(files, { ...options, index });
  return { segments, index, active: await reopenLast(segments.at(-1), disk) };
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

async function loadAll(files: readonly SegmentFile[], options: LoadOptions): Promise<Segment[]> {
  const missing = missingNumbers(files.map(({ name }) => name));
  const segments: Segment[] = [];
  for (const [at, file] of files.entries()) {
    for (const number of missing) {
      const isHere = number < file.name.from && number > (files[at - 1]?.name.to ?? 0);
      if (isHere) reportMissing(number, options);
    }
    const segment = await loadSegment(file, countedBytes(file, files[at + 1]), options);
    if (segment) segments.push(segment);
    // Killed before its first line was written: nothing was ever acknowledged in it.
    else await unlink(file.path);
  }
  return segments;
}

function reportMissing(number: number, { directory, index, log }: LoadOptions): void {
  const path = join(directory, fileNameOf({ from: number, to: number, generation: 0 }));
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
