import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { greetDaemon } from '../../src/daemon/connect.js';
import { PROTOCOL } from '../../src/daemon/hello.js';
import { socketPath } from '../../src/daemon/index.js';
import type { Answer } from './pml-client.js';
import type { Workspace } from './workspace.js';

/** A client session straight on the daemon's socket: thousands of them need no relay each. */
export class SocketClient implements Disposable {
  readonly #socket: Socket;
  readonly #pending = new Map<number, (answer: Answer) => void>();
  #nextId = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const lines = createInterface({ input: socket }).on('line', (line) => this.#receive(line));
    // A killed daemon closes its end; pending calls then get an error.
    for (const source of [socket, lines]) source.on('error', () => {});
    socket.once('close', () => {
      const error = { code: 0, message: 'the daemon ended' };
      for (const settle of this.#pending.values()) settle({ error });
      this.#pending.clear();
    });
  }

  /** Undefined when no daemon listens. */
  static async open(
    { dataDir, configPath }: Workspace,
    capabilities: object = {},
  ): Promise<SocketClient | undefined> {
    const greeted = await greetDaemon(socketPath(dataDir), {
      kind: 'session',
      protocol: PROTOCOL,
      version: '0.0.0',
      session: randomUUID(),
      config: configPath,
    });
    if (!greeted?.reply.ok) return undefined;
    const client = new SocketClient(greeted.socket);
    const { error } = await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    if (error) return undefined;
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  request(method: string, params: object): Promise<Answer> {
    if (!this.isOpen) return Promise.resolve({ error: { code: 0, message: 'the daemon ended' } });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  call(name: string, args: object = {}, meta?: object): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  /** The client no longer wants the answer to its last request. */
  cancelLast(): void {
    const requestId = this.#nextId - 1;
    this.#send({ method: 'notifications/cancelled', params: { requestId } });
    this.#pending.get(requestId)?.({ error: { code: 0, message: 'cancelled' } });
    this.#pending.delete(requestId);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #send(message: object): void {
    this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as Answer & { id?: number; method?: string };
    if (message.method !== undefined) {
      // This client has no user to ask.
      if (message.id !== undefined) {
        this.#send({ id: message.id, error: { code: -32000, message: 'no user' } });
      }
      return;
    }
    this.#pending.get(message.id ?? 0)?.(message);
    this.#pending.delete(message.id ?? 0);
  }
}
