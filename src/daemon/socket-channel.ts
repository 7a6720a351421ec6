import type { Socket } from 'node:net';

import { type Logger, messageOf } from '../core/index.js';
import {
  type Channel,
  LineSplitter,
  LineWriter,
  messageKind,
  parseLine,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '../rpc/index.js';

/** A client that does not read has no use for what is only of interest at once. */
const MAX_UNREAD_BYTES_FOR_NEWS = 8_000_000;
/** A client that has not read this much is not going to. */
const MAX_UNREAD_BYTES = 256_000_000;
const NEWS: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress']);
/** How long a client that leaves unread what we sent keeps its connection when we close it. */
const LAST_READ_MS = 1_000;

/**
 * A client on the daemon's socket. Counts what passed and which requests are open, so that the
 * relay on the other side can tell, should this process die, which of them got no answer.
 */
export class SocketChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  onactivity: (() => void) | undefined;
  readonly openRequests = new Map<RpcId, RpcRequest>();
  bytesRead = 0;
  readonly #socket: Socket;
  readonly #lines: LineSplitter;
  readonly #writer: LineWriter;
  readonly #log: Logger;
  #isClosed = false;

  constructor(socket: Socket, { maxBytes, log }: { maxBytes: number; log: Logger }) {
    this.#socket = socket;
    this.#lines = new LineSplitter(maxBytes);
    this.#writer = new LineWriter(socket);
    this.#log = log;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.once('close', () => this.#closed(new Error('the client has left')));
    socket.on('error', (error) => log.debug('socket error', { error: error.message }));
  }

  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  /** Bytes that came together with the greeting. */
  feed(chunk: Buffer): void {
    if (chunk.length > 0) this.#read(chunk);
  }

  send(message: RpcMessage): void {
    if (this.#isClosed) throw new Error('the client has left');
    const unread = this.#socket.writableLength;
    if (unread > MAX_UNREAD_BYTES) throw this.#giveUp(unread);
    if (unread > MAX_UNREAD_BYTES_FOR_NEWS && isNews(message)) return;
    this.#writer.write(message);
    if (messageKind(message) === 'response') {
      this.openRequests.delete((message as RpcResponse).id as RpcId);
    }
    this.onactivity?.();
  }

  async close(reason: Error): Promise<void> {
    if (this.#isClosed) return;
    this.#writer.flush();
    this.#closed(reason);
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_READ_MS);
      this.#socket.end(() => resolve());
    });
    clearTimeout(timer);
    this.#socket.destroy();
  }

  #giveUp(unread: number): Error {
    const reason = new Error('the client does not read what it is sent');
    this.#log.warn('client dropped: it does not read', { unreadBytes: unread });
    this.#closed(reason);
    this.#socket.destroy();
    return reason;
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const line of this.#lines.push(chunk)) this.#readLine(line);
    } catch (error) {
      this.#log.warn('client message refused', { error: messageOf(error) });
      void this.close(error as Error);
    }
    this.onactivity?.();
  }

  #readLine(line: Buffer): void {
    this.bytesRead += line.length + 1;
    if (line.length === 0) return;
    const messages = parseLine(line.toString('utf8'));
    if (!messages) {
      this.#log.warn('client sent something that is not JSON-RPC', { bytes: line.length });
      return this.send({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Parse error' },
      });
    }
    for (const message of messages) {
      if (messageKind(message) === 'request') {
        this.openRequests.set((message as RpcRequest).id, message as RpcRequest);
      }
      this.#forgetCancelled(message);
      this.onmessage?.(message);
    }
  }

  /** A cancelled request is never answered, so it would stay open for ever. */
  #forgetCancelled(message: RpcMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.openRequests.delete(id);
  }

  #closed(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.(reason);
  }
}

function isNews(message: RpcMessage): boolean {
  return 'method' in message && NEWS.has(message.method);
}
