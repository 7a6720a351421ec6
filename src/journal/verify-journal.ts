import { readdir } from 'node:fs/promises';

import { isAbsent, type RunId, silentLogger } from '../core/index.js';
import { describeLoss, enterSegment, examineSegment } from './examine-segment.js';
import { readMark } from './mark.js';
import {
  isBetween,
  knownLength,
  missingSegments,
  pathOf,
  readSegmentFiles,
} from './open-journal.js';
import { RunIndex } from './run-index.js';
import { parseFileName, resolveSegments } from './segment.js';

export interface JournalReport {
  readonly files: number;
  readonly bytes: number;
  readonly runs: number;
  /** What is missing or broken, in words, with file and offset. */
  readonly problems: readonly string[];
  /** Unfinished runs of which something is gone. */
  readonly damaged: readonly RunId[];
  /** Where a last write begins that is not complete: a crash leaves such a one, or it is under way. */
  readonly cut?: string;
}

const ATTEMPTS = 3;

/** Reads every record of a journal without changing anything, be it open elsewhere or not. */
export async function verifyJournal(
  directory: string,
  { markPath }: { readonly markPath?: string } = {},
): Promise<JournalReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await verifyOnce(directory, markPath);
    } catch (error) {
      // A daemon that gives space back replaces files while they are read.
      if (!isAbsent(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function verifyOnce(directory: string, markPath: string | undefined): Promise<JournalReport> {
  const mark = markPath === undefined ? undefined : await readMark(markPath, silentLogger);
  const names = await namesIn(directory);
  const files = await readSegmentFiles(directory, names);
  const index = new RunIndex();
  const missing = missingSegments(names, mark);
  const problems: string[] = missing.map((number) => `${pathOf(directory, number)} is missing`);
  const lose = (numbers: readonly number[]) => {
    for (const number of numbers) index.loseUnknown(`${pathOf(directory, number)} is missing`);
  };
  let cut: string | undefined;
  for (const [at, file] of files.entries()) {
    lose(missing.filter(isBetween(files[at - 1], file)));
    const examined = await examineSegment(file, knownLength(file, files[at + 1], mark));
    if (examined.cut !== undefined) cut = `${file.path}, byte ${examined.cut}`;
    if (examined.isEmptyEnd) continue;
    const { losses } = enterSegment(directory, file, examined, index);
    problems.push(...losses.map((loss) => describeLoss(loss, file.path)));
  }
  lose(missing.filter(isBetween(files.at(-1))));
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    runs: index.newestFirst().length,
    problems,
    damaged: index.damaged().map(({ run }) => run),
    ...(cut !== undefined && { cut }),
  };
}

async function namesIn(directory: string) {
  try {
    const all = await readdir(directory);
    return resolveSegments(all.flatMap((name) => parseFileName(name) ?? [])).current;
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
