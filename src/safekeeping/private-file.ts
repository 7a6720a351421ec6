import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { isAbsent } from '../core/index.js';

const PRIVATE_FILE = 0o600;
/** Windows has no such flag, and its links need rights of their own. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Opens a file of ours; nothing if there is none. A symbolic link in its place is an error. */
export async function openPrivate(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags | NO_FOLLOW, PRIVATE_FILE);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** The whole file; nothing if there is none. */
export async function readPrivate(path: string): Promise<Buffer | undefined> {
  const file = await openPrivate(path, constants.O_RDONLY);
  if (!file) return undefined;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Replaces the file as a whole: after a crash at any moment it is the old or the new one. */
export async function replacePrivate(path: string, content: string | Uint8Array): Promise<void> {
  // The daemon owns its data directory, so that one name for drafts is enough and leaves no litter.
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncDirectoryOf(path);
}

async function syncDirectoryOf(path: string): Promise<void> {
  // Windows neither opens directories nor needs them synced.
  if (process.platform === 'win32') return;
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
