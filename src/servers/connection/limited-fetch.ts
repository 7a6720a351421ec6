import { PmlError } from '../../core/index.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface FetchLimits {
  readonly maxBytes: number;
  /** Called once, with the error the reader of the body gets, before it gets it. */
  readonly onTooLarge: (error: PmlError) => void;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` whose answers hold no message longer than `maxBytes`: of an event stream each event is
 * counted, else the whole body, and both while they arrive, after decompression.
 */
export function limitedFetch(limits: FetchLimits, base: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    if (!response.body) return response;
    const isStream = isEventStream(response);
    const announced = Number(response.headers.get('content-length') ?? 0);
    if (!isStream && announced > limits.maxBytes) {
      await response.body.cancel();
      throw tooLarge(announced, limits);
    }
    const body = response.body.pipeThrough(countBytes(isStream, limits));
    const { status, statusText, headers } = response;
    const limited = new Response(body, { status, statusText, headers });
    // The SDK looks at where it was redirected to; a made response does not know.
    return Object.defineProperties(limited, {
      url: { value: response.url },
      redirected: { value: response.redirected },
      type: { value: response.type },
    });
  };
}

function isEventStream({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').trim().toLowerCase().startsWith('text/event-stream');
}

function countBytes(
  isStream: boolean,
  limits: FetchLimits,
): TransformStream<Uint8Array, Uint8Array> {
  const count = isStream ? eventBytes() : allBytes();
  return new TransformStream({
    transform(chunk, controller) {
      const size = count(chunk);
      if (size > limits.maxBytes) throw tooLarge(size, limits);
      controller.enqueue(chunk);
    },
  });
}

function allBytes(): (chunk: Uint8Array) => number {
  let size = 0;
  return (chunk) => (size += chunk.length);
}

/** The size of the longest event that ends in the chunk, or of the one that is under way. */
function eventBytes(): (chunk: Uint8Array) => number {
  let eventSize = 0;
  let lineSize = 0;
  let wasReturn = false;
  return (chunk) => {
    let longest = 0;
    for (const byte of chunk) {
      eventSize++;
      const isPairEnd = wasReturn && byte === NEWLINE;
      wasReturn = byte === RETURN;
      if (isPairEnd) continue;
      if (byte !== NEWLINE && byte !== RETURN) {
        lineSize++;
        continue;
      }
      longest = Math.max(longest, eventSize);
      // An empty line ends an event.
      if (lineSize === 0) eventSize = 0;
      lineSize = 0;
    }
    return Math.max(longest, eventSize);
  };
}

function tooLarge(size: number, { maxBytes, onTooLarge }: FetchLimits): PmlError {
  const text = `A message of more than ${maxBytes} bytes arrived (${size} so far)`;
  const error = new PmlError('SERVER_TOO_LARGE', text, { details: { maxBytes } });
  onTooLarge(error);
  return error;
}
