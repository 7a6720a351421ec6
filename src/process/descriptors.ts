/**
 * How many files this process may have open, and how many it has. Servers take most of them, and they
 * can do without for a while; the store and the journal cannot, so some are kept for those.
 */
import { readdirSync } from 'node:fs';

import { fileLimit } from './limits.js';

export interface Descriptors {
  readonly limit: number;
  readonly used: number;
}

/** What the store, the journal, logs and clients may need at once. Of a low limit a quarter. */
const RESERVE = 64;
const RESERVED_SHARE = 1 / 4;

/** Undefined where the system does not say. */
export function descriptors(): Descriptors | undefined {
  const limit = fileLimit();
  const used = openFiles();
  return limit === undefined || used === undefined ? undefined : { limit, used };
}

/** Whether so many more can be opened without taking those that are kept. */
export function hasRoom({ limit, used }: Descriptors, needed: number): boolean {
  return used + needed <= limit - Math.min(RESERVE, limit * RESERVED_SHARE);
}

function openFiles(): number | undefined {
  for (const folder of ['/proc/self/fd', '/dev/fd']) {
    try {
      return readdirSync(folder).length;
    } catch (error) {
      if (isExhausted(error)) return Infinity;
    }
  }
  return undefined;
}

/** Whether it, or what caused it, is that no more files can be opened. */
export function isExhausted(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') return true;
  }
  return false;
}
