import { createHash } from 'node:crypto';

import { type Principal, THE_USER } from './principal.js';

/** What a client may use. */
export interface Access {
  /** Globs of server names. */
  readonly servers: readonly string[];
  /** Only tools that change nothing. */
  readonly isReadOnly: boolean;
  /** Name of a profile of the configuration that holds for it as well. */
  readonly profile?: string;
}

/** What a principal may use; undefined: everything that the configuration allows. */
export type AccessOf = (principal: Principal) => Access | undefined;

/** Nothing: the token was revoked or has expired. */
export const NO_ACCESS: Access = { servers: [], isReadOnly: true };

/** Whether a token or an authorization server names the client, beyond one session. */
export function isNamed(principal: Principal): boolean {
  return principal.startsWith('token:') || principal.startsWith('subject:');
}

/**
 * Whether a principal may see what belongs to another. The user sees everything. What a named
 * client owns is its own alone; between clients without a name an id gives access.
 */
export function maySee(principal: Principal, owner: Principal = THE_USER): boolean {
  if (principal === owner || principal === THE_USER) return true;
  return !isNamed(principal) && !isNamed(owner);
}

const MARK_CHARACTERS = 8;

/** A short mark of a named principal, for ids that only it may use; empty for all others. */
export function ownerMark(principal: Principal = THE_USER): string {
  if (!isNamed(principal)) return '';
  return createHash('sha256').update(principal).digest('base64url').slice(0, MARK_CHARACTERS);
}
