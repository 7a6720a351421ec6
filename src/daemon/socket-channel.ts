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
    await new Promise<void>((resolve) => this.#socket.end(() => resolve()));
    this.#socket.destroy();
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
