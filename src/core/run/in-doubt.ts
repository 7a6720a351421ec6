import { PmlError, type PmlErrorCode } from '../errors.js';

/**
 * The failures after which it is unknown whether a call that was sent was carried out. With every
 * other code the call was never sent, or its server answered it.
 */
export const IN_DOUBT_CODES: ReadonlySet<PmlErrorCode> = new Set([
  'CALL_CANCELLED',
  'DAEMON_UNREACHABLE',
  'SERVER_CRASHED',
  'SERVER_DISABLED',
  'SERVER_PROTOCOL_ERROR',
  'SERVER_TOO_LARGE',
  'TOOL_TIMED_OUT',
]);

/** The message of a failed call that was sent and may have changed something. */
export function tellDoubt(code: PmlErrorCode, message: string): string {
  if (!IN_DOUBT_CODES.has(code)) return message;
  return `${message.replace(/\.$/, '')}. The call may or may not have been carried out: check before you repeat it`;
}

/** In the details of an error whose call the server refused unread, whatever the code. */
export const WAS_REFUSED = 'wasRefused';

/** Whether the server cannot have executed the call that failed with this error. */
export function wasRefused(error: unknown): boolean {
  return error instanceof PmlError && error.details[WAS_REFUSED] === true;
}
