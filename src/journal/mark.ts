/**
 * How far the journal had come for certain, written beside it when a segment is begun and when the
 * journal is closed. What the journal lacks of it was taken away: neither a crash nor the end of the
 * machine can have undone it. What lies beyond it may have been under way.
 */
import { readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import { isAbsent, type Logger } from '../core/index.js';
import { type Disk, writeAll } from './disk.js';
import { checkedText, withChecksum } from './record.js';

export interface JournalMark {
  /** Number of the last segment, and how much of it was on disk. */
  readonly segment: number;
  readonly bytes: number;
}

const NAME = 'pml-journal-end';
const VERSION = '1';

/** Nothing if there is none, or none that can be read: then nothing is known. */
export async function readMark(path: string, log: Logger): Promise<JournalMark | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  const [name, version, segment, length] = checkedText(bytes)?.trim().split(' ') ?? [];
  if (name === NAME && version === VERSION) {
    return { segment: Number(segment), bytes: Number(length) };
  }
  log.warn('the file that says how far the run journal reaches cannot be read', { path });
  return undefined;
}

/** Replaces the mark as a whole. Never rejects: an older mark says less and nothing wrong. */
export async function writeMark(
  path: string,
  { segment, bytes }: JournalMark,
  { disk, log }: { readonly disk: Disk; readonly log: Logger },
): Promise<void> {
  const draft = `${path}.draft`;
  try {
    const file = await disk.create(draft);
    try {
      const text = withChecksum([NAME, VERSION, segment, bytes].join(' '));
      await writeAll(file, [Buffer.from(text)], 0);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await disk.syncDirectory(dirname(path));
  } catch (error) {
    log.warn('could not write how far the run journal reaches', { path, error });
  }
}
