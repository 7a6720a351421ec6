import { randomBytes } from 'node:crypto';

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

function randomId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}
