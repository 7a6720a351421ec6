import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { isAbsent } from '../../core/index.js';

/** Configurations may hold secrets, so files we create are for their owner only. */
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/**
 * Replaces a file in one step: readers see the old or the new content, never a part. Keeps the mode
 * of an existing file, and writes through a symbolic link instead of replacing it.
 */
export async function writeAtomic(
  path: string,
  content: string | Uint8Array,
  fallbackMode = PRIVATE_FILE,
): Promise<void> {
  const target = await followLink(path);
  await mkdir(dirname(target), { recursive: true, mode: PRIVATE_DIRECTORY });
  const mode = (await modeOf(target)) ?? fallbackMode;
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    await writeDurably(draft, content, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDurably(path: string, content: string | Uint8Array, mode: number) {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  // The mode given to `open` is cut by the umask.
  await chmod(path, mode);
}

async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isAbsent(error)) return path;
    throw error;
  }
}

/** Permission bits of a file, undefined if there is none. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
