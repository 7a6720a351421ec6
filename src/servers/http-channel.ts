import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';

import { type Logger, messageOf, PmlError, type RemoteSpec } from '../core/index.js';
import type { Channel, RpcMessage, SendOptions } from '../rpc/index.js';

/** A remote server over streamable HTTP or the older SSE, spoken by the SDK's own transports. */
export class HttpChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  readonly wantsRequestSignal = true;
  readonly #transport: Transport;
  readonly #spec: RemoteSpec;
  #isClosed = false;

  private constructor(spec: RemoteSpec, transport: Transport, log: Logger) {
    this.#spec = spec;
    this.#transport = transport;
    transport.onmessage = (message) => this.onmessage?.(message as unknown as RpcMessage);
    transport.onerror = (error) => log.debug('HTTP error', { error: messageOf(error) });
    transport.onclose = () => this.#fail(lost(spec));
  }

  static async open(spec: RemoteSpec, log: Logger): Promise<HttpChannel> {
    // Loaded with the first remote server: most users have none, and it takes its time.
    const sdk = await import('@modelcontextprotocol/client');
    const url = new URL(spec.url);
    const requestInit = { headers: { ...spec.headers } };
    const transport =
      spec.kind === 'sse'
        ? new sdk.SSEClientTransport(url, { requestInit })
        : new sdk.StreamableHTTPClientTransport(url, { requestInit });
    const channel = new HttpChannel(spec, transport, log);
    try {
      await transport.start();
    } catch (error) {
      throw unreachableServer(spec, error);
    }
    return channel;
  }

  /** The SDK sends this version in a header of every later request. */
  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  async send(message: RpcMessage, options: SendOptions = {}): Promise<void> {
    if (this.#isClosed) throw lost(this.#spec);
    try {
      await this.#transport.send(message as Parameters<Transport['send']>[0], { ...options });
    } catch (error) {
      if (options.requestSignal?.aborted) return; // Given up on purpose; the caller already knows.
      throw unreachableServer(this.#spec, error);
    }
  }

  async close(reason: Error): Promise<void> {
    if (this.#isClosed) return;
    this.#fail(reason);
    if ('terminateSession' in this.#transport) {
      // Courtesy only: a server that is gone cannot be told so.
      await (this.#transport as StreamableHTTPClientTransport).terminateSession().catch(() => {});
    }
    await this.#transport.close();
  }

  #fail(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.(reason);
  }
}

function lost(spec: RemoteSpec): PmlError {
  return new PmlError(
    'SERVER_CRASHED',
    `The connection to ${spec.name} (${origin(spec)}) was lost`,
    {
      details: { server: spec.name },
    },
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
