import {
  messageOf,
  PmlError,
  type SandboxEnd,
  type ScriptEnd,
  type TaskError,
} from '../core/index.js';
import type { ReadyCode } from './script-ports.js';

/** How the script ended, in the terms of a run; undefined if PML abandoned it. */
export function endOf(end: SandboxEnd, ready: ReadyCode): ScriptEnd | undefined {
  switch (end.status) {
    case 'returned':
      return { status: 'returned', value: end.value };
    case 'threw':
      return { status: 'failed', error: located(end.error, ready) };
    case 'stopped':
      return { status: 'failed', error: { code: 'CODE_STOPPED', message: end.message } };
    case 'aborted':
      return undefined;
  }
}

/** With the line of the agent's code, which says more than any words. */
function located(
  { name, message, code, line, column }: Extract<SandboxEnd, { status: 'threw' }>['error'],
  { locate }: ReadyCode,
): TaskError {
  const head = `${name}${code ? ` [${code}]` : ''}: ${message}`;
  if (line === undefined) return { code: 'CODE_FAILED', message: head };
  const place = locate(line, column ?? 1);
  return {
    code: 'CODE_FAILED',
    message: `${head}\n  at line ${place.line}, column ${place.column}: ${place.text.trim()}`,
  };
}

/** The code could not be prepared. */
export function unreadyEnd(error: unknown): ScriptEnd {
  const code = error instanceof PmlError ? error.code : 'CODE_INVALID';
  return { status: 'failed', error: { code, message: messageOf(error) } };
}

/** A recorded result that PML cannot deliver would make the script wait forever. */
export function unansweredEnd(error: unknown): ScriptEnd {
  const message = `PML could not give the script an answer it had before: ${messageOf(error)}`;
  return { status: 'failed', error: { code: 'CODE_STOPPED', message } };
}

/** The script did not repeat its recorded calls, so its next action would be a guess. */
export function divergedEnd(calls: readonly string[]): ScriptEnd {
  const message = `The script did not do the same again as before the process ended: it made no call ${calls.join(', ')}. Nothing was called twice; look at the run and start the rest again`;
  return { status: 'failed', error: { code: 'REPLAY_DIVERGED', message } };
}
