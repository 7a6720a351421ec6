import type { JsonObject } from './json.js';

/** Stable names for failures callers are expected to tell apart. */
export type PmlErrorCode =
  | 'ARGUMENTS_INVALID'
  | 'BAD_REQUEST'
  | 'CALL_CANCELLED'
  | 'CODE_FAILED'
  | 'CODE_INVALID'
  | 'CODE_STOPPED'
  | 'CONFIG_INVALID'
  | 'CONFIG_NOT_FOUND'
  | 'CONFIG_UNTRUSTED'
  | 'DAEMON_SILENT'
  | 'DAEMON_UNREACHABLE'
  | 'DATA_DIR_IN_USE'
  | 'DATA_DIR_REFUSED'
  | 'EMBEDDING_FAILED'
  | 'JOURNAL_FAILED'
  | 'OUTPUT_INVALID'
  | 'PINS_FAILED'
  | 'PLAN_HAS_CYCLE'
  | 'PLAN_INVALID'
  | 'REFERENCE_INVALID'
  | 'REPLAY_DIVERGED'
  | 'RESULT_NOT_FOUND'
  | 'PROFILE_UNKNOWN'
  | 'RUN_DECIDED'
  | 'RUN_FAILED'
  | 'RUN_FINISHED'
  | 'RUN_UNKNOWN'
  | 'SANDBOX_FAILED'
  | 'SERVER_BROKEN'
  | 'SERVER_CRASHED'
  | 'SERVER_DISABLED'
  | 'SERVER_ERROR'
  | 'SERVER_NOT_STARTED'
  | 'SERVER_PROTOCOL_ERROR'
  | 'SERVER_TOO_LARGE'
  | 'SERVER_UNKNOWN'
  | 'SIGN_IN_FAILED'
  | 'SIGN_IN_NEEDED'
  | 'STORE_CORRUPT'
  | 'STORE_FAILED'
  | 'TOOL_BLOCKED'
  | 'TOOL_DENIED'
  | 'TOOL_FAILED'
  | 'TOOL_TIMED_OUT'
  | 'TOOL_UNKNOWN'
  | 'USER_DECIDES';

/**
 * The one error class that crosses module boundaries. Add a code before adding a
 * subclass; subclass only when callers need typed extra fields.
 */
export class PmlError extends Error {
  override readonly name: string = 'PmlError';
  readonly code: PmlErrorCode;
  readonly details: JsonObject;

  constructor(
    code: PmlErrorCode,
    message: string,
    { cause, details = {} }: { cause?: unknown; details?: JsonObject } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}

/** For the `default` of a switch that must name every case. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a file operation failed because the file is not there. */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
