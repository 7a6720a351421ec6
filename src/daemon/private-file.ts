/** Small files for their owner only, such as keys. A symbolic link in their place is an error. */
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

import { isAbsent } from '../core/errors.js';

/** Windows has no such flag, and its links need rights of their own. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Fails with `EEXIST` where something stands already; the text is on disk afterwards. */
export function writeNewPrivate(path: string, text: string): void {
  const file = openSync(
    path,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW,
    0o600,
  );
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** All of it; undefined if there is none. */
export function readPrivateFile(path: string): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Does nothing if there is none. `rmSync` would first load what it needs to remove folders. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
