import { dirname, resolve } from 'node:path';

/**
 * The data directory a configuration names, if any, read without all that is needed to check the
 * file. `'unclear'` when only a full reading can tell: comments, references to the environment, a
 * home directory.
 */
export function quickDataDir(
  text: string,
  path: string,
): 'unclear' | { readonly dataDir: string | undefined } {
  if (!text.includes('"dataDir"')) return { dataDir: undefined };
  try {
    const { dataDir } = JSON.parse(text) as { dataDir?: unknown };
    if (typeof dataDir !== 'string' || /^~|\$/.test(dataDir)) return 'unclear';
    return { dataDir: resolve(dirname(path), dataDir) };
  } catch {
    return 'unclear'; // JSON with comments, or not JSON at all: the full reading says which.
  }
}
