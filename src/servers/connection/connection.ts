import {
  type JsonObject,
  messageOf,
  PmlError,
  type ProtocolEra,
  type ServerSpec,
  type ServerTokens,
} from '../../core/index.js';
import { type Channel, Peer, type PeerHandlers, type RequestOptions } from '../../rpc/index.js';
import { type ClientIdentity, withEnvelope } from './envelope.js';
import { type Greeting, handshake } from './handshake.js';
import { HttpChannel, httpStatus } from './http-channel.js';
import { StdioChannel, type StdioChannelOptions } from './stdio-channel.js';

export interface ConnectionOptions extends StdioChannelOptions {
  readonly want: ProtocolEra;
  readonly probe: boolean;
  readonly client: ClientIdentity;
  readonly startTimeoutMs: number;
  /** The access tokens of a remote server that PML signs in to. */
  readonly tokens?: ServerTokens | undefined;
  /** Ends a start that goes on. */
  readonly signal: AbortSignal;
}

/** One open conversation with a server, past its handshake. */
export class Connection {
  readonly greeting: Greeting;
  readonly pid: number | undefined;
  readonly #peer: Peer;
  #client: ClientIdentity;

  constructor(
    peer: Peer,
    greeting: Greeting,
    { client, pid }: { client: ClientIdentity; pid: number | undefined },
  ) {
    this.#peer = peer;
    this.greeting = greeting;
    this.#client = client;
    this.pid = pid;
  }

  static async open(
    spec: ServerSpec,
    handlers: PeerHandlers,
    options: ConnectionOptions,
  ): Promise<Connection> {
    try {
      return await openWith(spec, handlers, options);
    } catch (error) {
      // Servers of the first HTTP revision refuse the POST; they still answer on SSE.
      const status = httpStatus((error as { cause?: unknown }).cause ?? error);
      if (spec.kind === 'http' && (status === 404 || status === 405)) {
        return openWith({ ...spec, kind: 'sse' }, handlers, options);
      }
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#peer.isClosed;
  }

  request(method: string, params: JsonObject | undefined, options?: RequestOptions) {
    const sent = this.greeting.era === 'modern' ? withEnvelope(params, this.#client) : params;
    return this.#peer.request(method, sent, options);
  }

  /** What later requests of the modern revision say of their client, unless they say it themselves. */
  declare(client: ClientIdentity): void {
    this.#client = client;
  }

  notify(method: string, params?: JsonObject): void {
    this.#peer.notify(method, params);
  }

  /** While the server waits for an answer of ours, its own answers may take longer. */
  holdTimeouts(): () => void {
    return this.#peer.holdTimeouts();
  }

  close(reason: Error): Promise<void> {
    return this.#peer.close(reason);
  }
}

async function openWith(
  spec: ServerSpec,
  handlers: PeerHandlers,
  options: ConnectionOptions,
): Promise<Connection> {
  const { log, client, want, probe, startTimeoutMs, signal } = options;
  const channel: Channel =
    spec.kind === 'stdio'
      ? await StdioChannel.open(spec, options)
      : await HttpChannel.open(spec, options);
  const pid = channel instanceof StdioChannel ? channel.pid : undefined;
  const peer = new Peer(channel, handlers, log);
  const onAbort = () => void peer.close(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const greeting = await handshake(peer, {
      server: spec.name,
      want,
      probe,
      isOrdered: spec.kind === 'stdio',
      client,
      timeoutMs: startTimeoutMs,
    });
    if (greeting.era === 'legacy') {
      if (channel instanceof HttpChannel) channel.setProtocolVersion(greeting.protocolVersion);
      peer.notify('notifications/initialized');
    }
    return new Connection(peer, greeting, { client, pid });
  } catch (error) {
    const reason =
      error instanceof Error ? error : new PmlError('SERVER_NOT_STARTED', messageOf(error));
    await peer.close(reason);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
