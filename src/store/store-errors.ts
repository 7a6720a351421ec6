import { messageOf, PmlError } from '../core/index.js';

/** SQLSTATEs that mean the files are damaged: data_corrupted, index_corrupted. */
const CORRUPT_STATES = new Set(['XX001', 'XX002']);
/** disk_full of PostgreSQL and the same from the file system. */
const DISK_FULL = new Set(['53100', 'ENOSPC']);

const REPAIR = 'Run `pml doctor --repair`: it keeps the damaged files and restores a snapshot';

export function storeCorrupt(
  what: string,
  { directory, cause }: { directory: string; cause?: unknown },
): PmlError {
  return new PmlError('STORE_CORRUPT', `${what} (${directory}). ${REPAIR}.`, {
    cause,
    details: { directory },
  });
}

/** Gives any failure of an engine or of the file system a code and an advice. */
export function toStoreError(doing: string, error: unknown): PmlError {
  if (error instanceof PmlError) return error;
  const state = codeOf(error);
  // Node says nothing when none of several addresses of a host could be reached.
  const message = `Could not ${doing}: ${messageOf(error) || state || 'no reason given'}`;
  const options = { cause: error, details: state === undefined ? {} : { state } };
  if (state !== undefined && CORRUPT_STATES.has(state)) {
    return new PmlError('STORE_CORRUPT', `${message}. ${REPAIR}.`, options);
  }
  if (state !== undefined && DISK_FULL.has(state)) {
    return new PmlError('STORE_FAILED', `${message}. The disk is full: free some space.`, options);
  }
  return new PmlError('STORE_FAILED', message, options);
}

/** Runs a step of the store; whatever it rejects with arrives as a `PmlError`. */
export async function attempt<T>(doing: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toStoreError(doing, error);
  }
}

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
