import { randomFillSync } from 'node:crypto';

import { ownerMark, type Principal, type RunId, runId, THE_USER } from '../core/index.js';

/** An id of 128 random bits cannot be guessed, so knowing one grants access: a capability. */
const ID_BYTES = 16;

export function newRunId(): RunId {
  return runId(`run_${randomId()}`);
}

/** The handle of a kept result. That of a named client ends with its mark. */
export function newResultHandle(owner?: Principal): string {
  return `r_${randomId()}${ownerMark(owner)}`;
}

/** Whether a handle is of this principal, or of no named one. */
export function isOwnHandle(handle: string, principal: Principal): boolean {
  if (principal === THE_USER) return true;
  return handle.slice(UNMARKED_LENGTH) === ownerMark(principal);
}

const UNMARKED_LENGTH = 'r_'.length + Math.ceil((ID_BYTES * 4) / 3);

/** Random bytes for the next ids: asking the system for each id costs more than the id. */
const pool = Buffer.alloc(ID_BYTES * 64);
let taken = pool.length;

function randomId(): string {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const bytes = pool.subarray(taken, taken + ID_BYTES);
  taken += ID_BYTES;
  const id = bytes.toString('base64url');
  // The id is a secret: only its holder has it.
  bytes.fill(0);
  return id;
}
