import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { messageOf, PmlError } from '../core/index.js';

/** What a segment is written through; disks that fail are put in its place by tests. */
export interface JournalFile {
  write(bytes: Buffer, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
  /** Writes before it returns. Returns how many bytes the system took. */
  writeNow(bytes: Buffer, at: number): number;
  truncate(bytes: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  /** Empties the file if it is there. */
  create(path: string): Promise<JournalFile>;
  openExisting(path: string): Promise<JournalFile>;
  /** Makes names that were added, changed or removed last. */
  syncDirectory(path: string): Promise<void>;
}

/** Results of tools may be secret. */
const PRIVATE_FILE = 0o600;
/** Below this, joining is cheaper than another call of the system. */
const JOINED_BYTES = 64 * 1_024;

export const realDisk: Disk = {
  create: async (path) => journalFile(await open(path, 'w', PRIVATE_FILE)),
  openExisting: async (path) => journalFile(await open(path, 'r+')),
  async syncDirectory(path) {
    // Windows neither opens directories nor needs them synced.
    if (process.platform === 'win32') return;
    const directory = await open(path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
};

function journalFile(handle: FileHandle): JournalFile {
  return {
    write: (bytes, from, length, at) => handle.write(bytes, from, length, at),
    writeNow: (bytes, at) => writeSync(handle.fd, bytes, 0, bytes.length, at),
    truncate: (bytes) => handle.truncate(bytes),
    datasync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** Shortens a file for good. */
export async function cutFile(disk: Disk, path: string, bytes: number): Promise<void> {
  const file = await disk.openExisting(path);
  try {
    await file.truncate(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Writes all of it, however small the steps the system takes. Says how much it was. */
export async function writeAll(
  file: JournalFile,
  parts: readonly Buffer[],
  at: number,
): Promise<number> {
  let end = at;
  for (const part of joinSmall(parts)) {
    for (let done = 0; done < part.length;) {
      const { bytesWritten } = await file.write(part, done, part.length - done, end);
      if (bytesWritten === 0) throw new Error('the system wrote nothing');
      done += bytesWritten;
      end += bytesWritten;
    }
  }
  return end - at;
}

/** The same before it returns. */
export function writeAllNow(file: JournalFile, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length;) {
    const written = file.writeNow(bytes.subarray(done), at + done);
    if (written === 0) throw new Error('the system wrote nothing');
    done += written;
  }
}

function joinSmall(parts: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = [];
  let small: Buffer[] = [];
  const flush = () => {
    if (small.length > 0) joined.push(Buffer.concat(small));
    small = [];
  };
  for (const part of parts) {
    if (part.length <= JOINED_BYTES) small.push(part);
    else {
      flush();
      joined.push(part);
    }
  }
  flush();
  return joined;
}

/** The error of a journal that could not do what it must, with what the user can do about it. */
export function journalFailed(doing: string, path: string, cause: unknown): PmlError {
  if (cause instanceof PmlError) return cause;
  const code = String((cause as NodeJS.ErrnoException | null)?.code ?? 'UNKNOWN');
  return new PmlError(
    'JOURNAL_FAILED',
    `The run journal could not ${doing} ${path}: ${messageOf(cause)}. ${remedyFor(code)}`,
    { cause, details: { path, reason: code } },
  );
}

function remedyFor(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free space on that disk; nothing of it was kept, and trying again works then.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'Make the file and its directory writable for this user, then try again.';
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open: raise the limit (ulimit -n), then try again.';
    default:
      return 'Check the disk; nothing of it was kept, and it may be tried again.';
  }
}
