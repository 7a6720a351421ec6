import { PmlError, type PmlErrorCode } from '../errors.js';

/**
 * The failures after which nobody knows whether a call that had left was carried out. With every
 * other code the call never left, or its server answered it.
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

/** The message of a failed call that had left and may have changed something. */
export function tellDoubt(code: PmlErrorCode, message: string): string {
  if (!IN_DOUBT_CODES.has(code)) return message;
  return `${message.replace(/\.$/, '')}. The call may or may not have been carried out: check before you repeat it`;
}

/** In the details of an error whose call was turned away unread, whatever its code. */
export const WAS_REFUSED = 'wasRefused';

/** Whether the server cannot have taken up the call that failed with this. */
export function wasRefused(error: unknown): boolean {
  return error instanceof PmlError && error.details[WAS_REFUSED] === true;
}
