import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';

import {
  type JsonObject,
  type Logger,
  messageOf,
  PmlError,
  type RemoteSpec,
  type ServerTokens,
  WAS_REFUSED,
} from '../../core/index.js';
import type { Channel, RpcMessage, SendOptions } from '../../rpc/index.js';
import { limitedFetch } from './limited-fetch.js';
import { isAboutSignIn, signedFetch } from './signed-fetch.js';

/** The goodbye to a server that does not answer must not delay our own shutdown. */
const LEAVE_MS = 1_000;

export interface HttpChannelOptions {
  readonly startTimeoutMs: number;
  readonly maxMessageBytes: number;
  /** Undefined if the server is sent no token, or one that the user configured. */
  readonly tokens?: ServerTokens | undefined;
  /** Aborts a pending start. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** A remote server over streamable HTTP or the older SSE, spoken by the SDK's own transports. */
export class HttpChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  readonly wantsRequestSignal = true;
  readonly #transport: Transport;
  readonly #spec: RemoteSpec;
  #isClosed = false;
  /** The server no longer knows our session, most often because it was restarted. */
  #isSessionGone = false;
  #sendingCount = 0;
  /** Why PML closed the connection, if PML did. */
  #reason: PmlError | undefined;

  private constructor(spec: RemoteSpec, transport: Transport, log: Logger) {
    this.#spec = spec;
    this.#transport = transport;
    // The SDK has parsed it; our peer checks every field it reads.
    transport.onmessage = (message) => this.onmessage?.(message as unknown as RpcMessage);
    transport.onerror = (error) => log.debug('HTTP error', { error: messageOf(error) });
    transport.onclose = () => this.#fail(lost(spec));
  }

  static async open(spec: RemoteSpec, options: HttpChannelOptions): Promise<HttpChannel> {
    // Loaded with the first remote server: most users have none, and loading is slow.
    const sdk = await import('@modelcontextprotocol/client');
    const url = new URL(spec.url);
    const limits = {
      maxBytes: options.maxMessageBytes,
      onTooLarge: (error: PmlError) => channel.#refuse(error),
    };
    // Why a token was not to be had: the SDK hides the errors of a stream that it opens.
    let refused: PmlError | undefined;
    const { tokens } = options;
    const { name: server } = spec;
    const fetching = limitedFetch(limits);
    const onRefused = (error: PmlError) => (refused = error);
    const settings = {
      requestInit: { headers: { ...spec.headers } },
      fetch: tokens
        ? signedFetch(fetching, { tokens, server, origin: url.origin, onRefused })
        : fetching,
    };
    const transport =
      spec.kind === 'sse'
        ? new sdk.SSEClientTransport(url, settings)
        : new sdk.StreamableHTTPClientTransport(url, settings);
    const channel = new HttpChannel(spec, transport, options.log);
    try {
      await startWithin(transport, spec, options);
    } catch (error) {
      // An event source retries until it is closed.
      await transport.close();
      throw refused ?? error;
    }
    return channel;
  }

  /** The SDK sends this version in a header of every later request. */
  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  async send(message: RpcMessage, options: SendOptions = {}): Promise<void> {
    if (this.#isClosed) throw lost(this.#spec, { [WAS_REFUSED]: true }, this.#reason);
    if (this.#isSessionGone) throw sessionGone(this.#spec);
    const session = this.#transport.sessionId;
    this.#sendingCount++;
    try {
      await this.#transport.send(message as Parameters<Transport['send']>[0], { ...options });
    } catch (error) {
      if (this.#reason) throw this.#reason;
      if (options.requestSignal?.aborted) return; // Aborted on purpose; the caller already knows.
      if (isAboutSignIn(error)) throw error;
      // Without a session, 404 refers to the request: its method or its address.
      if (session === undefined || httpStatus(error) !== 404) {
        const isLost = isToolCall(message) && mayHaveArrived(error);
        throw isLost ? brokenOff(this.#spec, error) : unreachableServer(this.#spec, error);
      }
      this.#endSession();
      throw sessionGone(this.#spec);
    } finally {
      this.#sendingCount--;
      // After the caller has its 404: that call may be retried, other calls of the session not.
      if (this.#isSessionGone && this.#sendingCount === 0) setImmediate(() => this.#lose());
    }
  }

  async close(reason: Error): Promise<void> {
    if (this.#isClosed) return;
    this.#fail(reason);
    if ('terminateSession' in this.#transport && !this.#isSessionGone) {
      const leaving = (this.#transport as StreamableHTTPClientTransport).terminateSession();
      // Courtesy only: the server may already be gone.
      await within(LEAVE_MS, leaving).catch(() => {});
    }
    await this.#transport.close();
  }

  /** The rest of the message must not arrive: PML reconnects for the next call. */
  #refuse(error: PmlError): void {
    const { name } = this.#spec;
    const text = `${name}: ${error.message}; PML connects to the server again at the next call. Raise limits.messageBytes if it should be allowed.`;
    const details = { ...error.details, server: name };
    this.#reason = new PmlError('SERVER_TOO_LARGE', text, { cause: error, details });
    this.#fail(this.#reason);
    void this.#transport.close();
  }

  /** Gives calls that were sent together with the refused one time to be refused as well. */
  #endSession(): void {
    if (this.#isSessionGone) return;
    this.#isSessionGone = true;
    setTimeout(() => this.#lose(), LEAVE_MS).unref();
  }

  #lose(): void {
    if (this.#isClosed) return;
    this.#fail(lost(this.#spec));
    void this.#transport.close();
  }

  #fail(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.(reason);
  }
}

async function startWithin(
  transport: Transport,
  spec: RemoteSpec,
  { startTimeoutMs, signal }: HttpChannelOptions,
): Promise<void> {
  signal.throwIfAborted();
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const starting = within(startTimeoutMs, transport.start()).catch((error: unknown) => {
    throw unreachableServer(spec, error);
  });
  try {
    await Promise.race([starting, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const onTimeout = () => reject(new Error(`it did not answer within ${timeoutMs} ms`));
    timer = setTimeout(onTimeout, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server refused the call unread, so it may be retried on a new connection. */
function sessionGone(spec: RemoteSpec): PmlError {
  const text = `Server ${spec.name} (${origin(spec)}) has ended our session`;
  return new PmlError('SERVER_CRASHED', text, {
    details: { server: spec.name, sessionGone: true, [WAS_REFUSED]: true },
  });
}

export function isSessionGone(error: unknown): boolean {
  return error instanceof PmlError && error.details['sessionGone'] === true;
}

function lost(spec: RemoteSpec, details: JsonObject = {}, reason?: PmlError): PmlError {
  const { code = 'SERVER_CRASHED' as const, message } = reason ?? {};
  const text = message ?? `The connection to ${spec.name} (${origin(spec)}) was lost`;
  return new PmlError(code, text, { details: { server: spec.name, ...details } });
}

/** Only a call has side effects, so only for a call it matters whether it arrived. */
function isToolCall(message: RpcMessage): boolean {
  return 'method' in message && message.method === 'tools/call';
}

/** Errors that prove that no connection was made, so nothing was sent. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const REQUEST_TIMEOUT = 408;

/** A refusal (4xx) means that nothing was done; a failure (5xx) or silence does not. */
function mayHaveArrived(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== undefined) return status >= 500 || status === REQUEST_TIMEOUT;
  const cause = (error as { cause?: { code?: unknown } }).cause;
  return !NEVER_CONNECTED.has(cause?.code);
}

function brokenOff(spec: RemoteSpec, cause: unknown): PmlError {
  const status = httpStatus(cause);
  const how = status === undefined ? rootMessage(cause) : `it answered HTTP ${status}`;
  return new PmlError(
    'SERVER_CRASHED',
    `Server ${spec.name} at ${origin(spec)} broke off the call: ${how}`,
    { cause, details: { server: spec.name, ...(status === undefined ? {} : { status }) } },
  );
}

function unreachableServer(spec: RemoteSpec, cause: unknown): PmlError {
  const status = httpStatus(cause);
  const hint =
    status === 401 || status === 403
      ? `it answered ${status}: check headers.Authorization of this server`
      : status === undefined
        ? rootMessage(cause)
        : `it answered HTTP ${status}`;
  return new PmlError('SERVER_NOT_STARTED', `Server ${spec.name} at ${origin(spec)}: ${hint}`, {
    cause,
    details: { server: spec.name, ...(status === undefined ? {} : { status }) },
  });
}

export function httpStatus(error: unknown): number | undefined {
  const direct = error as { status?: unknown; code?: unknown; data?: { status?: unknown } };
  for (const value of [direct.status, direct.data?.status, direct.code]) {
    if (typeof value === 'number' && value >= 100 && value < 600) return value;
  }
  return undefined;
}

/** `fetch failed` says nothing; its cause does. */
function rootMessage(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  return cause instanceof Error ? cause.message || messageOf(error) : messageOf(error);
}

/** A URL may carry a token in its query; only the origin is ever shown. */
function origin(spec: RemoteSpec): string {
  return new URL(spec.url).origin;
}
