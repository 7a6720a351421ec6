import type { ErrorType, PmlErrorCode, TaskError } from '../core/index.js';

/** Failures whose code alone gives their type. All others are classified by their message. */
const BY_CODE: Partial<Readonly<Record<PmlErrorCode, ErrorType>>> = {
  ARGUMENTS_INVALID: 'validation',
  BAD_REQUEST: 'validation',
  OUTPUT_INVALID: 'validation',
  PLAN_HAS_CYCLE: 'validation',
  PLAN_INVALID: 'validation',
  REFERENCE_INVALID: 'validation',
  RESULT_NOT_FOUND: 'not_found',
  RUN_UNKNOWN: 'not_found',
  SERVER_BROKEN: 'network',
  SERVER_CRASHED: 'network',
  SERVER_DISABLED: 'permission',
  SERVER_NOT_STARTED: 'network',
  SERVER_UNKNOWN: 'not_found',
  SIGN_IN_FAILED: 'network',
  SIGN_IN_NEEDED: 'permission',
  TOOL_BLOCKED: 'permission',
  PINS_FAILED: 'permission',
  TOOL_DENIED: 'permission',
  TOOL_TIMED_OUT: 'timeout',
  TOOL_UNKNOWN: 'not_found',
  USER_DECIDES: 'permission',
};

/** A retry restarts the server, so these pass. A broken server pauses longer than a retry waits. */
const PASSING: ReadonlySet<PmlErrorCode> = new Set([
  'SERVER_CRASHED',
  'SERVER_NOT_STARTED',
  'SIGN_IN_FAILED',
  'TOOL_TIMED_OUT',
]);

/** Failures reported by servers in their own words: only these can be transient. */
const IN_OTHERS_WORDS: ReadonlySet<PmlErrorCode> = new Set([
  'SERVER_ERROR',
  'SERVER_PROTOCOL_ERROR',
  'TOOL_FAILED',
]);

/**
 * A number counts as an HTTP status only beside a word that says so: "HTTP 404", "status code: 503",
 * "(429)", "403 Forbidden"; "found 404 rows" is about rows.
 */
const STATUS =
  /(?:\b(?:https?|status(?:[ _]?code)?|code|error|failed)(?: ?\/ ?\d\.\d)?["']?[ :=([#]{1,3}|^|[([])([45]\d\d)\b(?!\.\d)/i;
const STATUS_WITH_REASON =
  /\b([45]\d\d)[ :,-]{1,3}(?:bad (?:request|gateway)|unauthori[sz]ed|forbidden|not found|method not|not acceptable|request timeout|conflict|gone|unprocessable|too many|internal server|not implemented|service unavailable|gateway time-?out)/i;

/** The order matters: "invalid token" is about rights, "not found in time" is about neither. */
const BY_WORDS: readonly (readonly [RegExp, ErrorType])[] = [
  [/\b(?:ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT)\b/, 'timeout'],
  [/\btimed?[- ]?out|\bdeadline exceeded|\btook too long/i, 'timeout'],
  [
    /\b(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|UND_ERR_\w+|ERR_NETWORK\w*)\b/,
    'network',
  ],
  [/\bEACCES\b|\bEPERM\b|\bEROFS\b/, 'permission'],
  [/\bENOENT\b|\bENOTDIR\b/, 'not_found'],
  [/\bEINVAL\b|\bEISDIR\b|\bEEXIST\b/, 'validation'],
  [
    /\b(?:rate.?limit|too many requests|quota exceeded|service unavailable|bad gateway|temporarily unavailable|overloaded)/i,
    'network',
  ],
  [
    /\bfetch failed|\bsocket hang up|\bnetwork (?:error|is unreachable|request failed)|\bconnection (?:was )?(?:refused|reset|closed|lost|error|terminated)|\b(?:cannot|could not|failed to|unable to) connect\b|\bdns\b|\bunreachable\b/i,
    'network',
  ],
  [
    /\bunauthori[sz]ed|\bunauthenticated|\bforbidden|\bpermission|\baccess (?:is )?denied|\bnot (?:allowed|permitted|authori[sz]ed)|\bdenied\b|\bauthenticat|\bcredentials?\b|\b(?:invalid|expired|missing|bad) (?:(?:api|access|auth|bearer|refresh) ?)*(?:token|key)\b|\bread-?only\b/i,
    'permission',
  ],
  [
    /(?:\b|_)not[ _-]?found|\bno such\b|\bdoes(?: not|n't) exist|\bcould(?: not|n't) (?:be )?f[oi]u?nd\b|\bunknown \w+\b|\bno \w+ (?:named|called|with id|matches|matching)\b/i,
    'not_found',
  ],
  [
    /\binvalid|\bvalidation|\bmust (?:be|have|match|not)|\bexpected\b|\b(?:is |are )?required\b|\bmissing\b|\bmalformed|\bunprocessable|\bsyntax error|\bbad request|\bunrecogni[sz]ed|\bout of range|\balready exists|\bcannot parse|\bunexpected (?:token|end)/i,
    'validation',
  ],
];

/** The type of a failure: from its code, or else from the status and words of its message. */
export function errorType({ code, message }: TaskError): ErrorType {
  return BY_CODE[code] ?? typeOfStatus(statusIn(message)) ?? typeOfWords(message);
}

/** Whether the same call may succeed a moment later. */
export function isTransient(error: TaskError): boolean {
  if (PASSING.has(error.code)) return true;
  if (!IN_OTHERS_WORDS.has(error.code)) return false;
  const status = statusIn(error.message);
  if (status !== undefined)
    return status === 408 || status === 425 || status === 429 || isPassing(status);
  const type = typeOfWords(error.message);
  return type === 'timeout' || type === 'network';
}

/** 501 and 505 mean that the server will never support the request. */
function isPassing(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

function statusIn(message: string): number | undefined {
  const found = STATUS.exec(head(message)) ?? STATUS_WITH_REASON.exec(head(message));
  return found ? Number(found[1]) : undefined;
}

function typeOfStatus(status: number | undefined): ErrorType | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403 || status === 407) return 'permission';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 408 || status === 504) return 'timeout';
  return status === 429 || status >= 500 ? 'network' : 'validation';
}

function typeOfWords(message: string): ErrorType {
  const text = head(message);
  return BY_WORDS.find(([words]) => words.test(text))?.[1] ?? 'unknown';
}

/** A tool may report its failure with a whole page; the beginning says what went wrong. */
function head(message: string): string {
  return message.slice(0, 2_000);
}
