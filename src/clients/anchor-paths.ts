import { posix, win32 } from 'node:path';

import type { JsonObject } from '../core/index.js';
import type { Machine } from './client-files.js';

const RELATIVE = /^\.{1,2}([\\/]|$)/;

/**
 * A project's server runs in the project, but its entry moves to a file elsewhere: if it depends on
 * the directory, the directory is written down.
 */
export function anchorPaths(entry: JsonObject, { cwd, platform }: Machine): JsonObject {
  const paths = platform === 'win32' ? win32 : posix;
  const own = entry['cwd'];
  if (typeof own === 'string')
    return own.includes('${') ? entry : { ...entry, cwd: paths.resolve(cwd, own) };
  const args = Array.isArray(entry['args']) ? entry['args'] : [];
  const isRelative = [entry['command'], ...args].some(
    (part) => typeof part === 'string' && RELATIVE.test(part),
  );
  return isRelative ? { ...entry, cwd } : entry;
}
