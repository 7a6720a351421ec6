import type { TokenSet } from './sign-in-record.js';

/** PML renews a token this long before it expires, but never in the first four fifths of its life. */
const LONGEST_MARGIN_MS = 60_000;
const MARGIN_SHARE = 0.2;

/** Whether a token can be sent as it is: it lives for a while yet, or does not say for how long. */
export function isFresh({ expiresAt, lifetimeMs }: TokenSet, now: number): boolean {
  if (expiresAt === undefined) return true;
  const margin = Math.min(LONGEST_MARGIN_MS, (lifetimeMs ?? LONGEST_MARGIN_MS) * MARGIN_SHARE);
  return now < expiresAt - margin;
}

export function isExpired({ expiresAt }: TokenSet, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}
