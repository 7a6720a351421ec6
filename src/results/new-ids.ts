import { randomBytes } from 'node:crypto';

import { type RunId, runId } from '../core/index.js';

/** An id of 128 random bits cannot be guessed, so knowing one grants access: a capability. */
const ID_BYTES = 16;

export function newRunId(): RunId {
  return runId(`run_${randomId()}`);
}

/** The handle of a kept result. */
export function newResultHandle(): string {
  return `r_${randomId()}`;
}

function randomId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}
