import { createServer, type Server, type Socket } from 'node:net';

import { type JsonObject, type Logger, messageOf, PmlError } from '../core/index.js';
import { type Sessions, Session } from '../gateway/index.js';
import { LineWriter, Peer, RPC, RpcError } from '../rpc/index.js';
import { type Hello, type HelloReply, PROTOCOL, type SideMessage } from './hello.js';
import { describeOpen } from './lost-requests.js';
import { removeFile } from './private-file.js';
import { readFirstLine } from './read-first-line.js';
import { SocketChannel } from './socket-channel.js';
import { prepareSocketFolder } from './socket-path.js';

/** The daemon reports its progress to the relay at most this often. */
const REPORT_MS = 50;
const HELLO_TIMEOUT_MS = 10_000;

export type ControlHandler = (method: string, params: JsonObject) => Promise<JsonObject>;

export interface DaemonServerOptions {
  readonly path: string;
  readonly version: string;
  /** Which compiled sources this is: builds of one version can differ. */
  readonly build: string;
  readonly config: string;
  readonly maxMessageBytes: number;
  readonly sessions: Sessions;
  /** Why there is no profile of this name. */
  readonly refuseProfile?: (name: string) => string | undefined;
  readonly control: ControlHandler;
  /** A relay of a newer version connected: this daemon should end when it is idle. */
  readonly onOutdated: (version: string) => void;
  readonly onClientsChanged: (count: number) => void;
  readonly log: Logger;
}

interface Client {
  readonly session: Session;
  readonly channel: SocketChannel;
  /** Set while a side connection is open. */
  tellState?: () => void;
  tellStopping?: () => void;
}

/** Accepts relays and commands on the daemon's socket. */
export class DaemonServer implements AsyncDisposable {
  readonly #options: DaemonServerOptions;
  readonly #server: Server;
  readonly #clients = new Map<string, Client>();
  readonly #sockets = new Set<Socket>();
  #isStopping = false;

  constructor(options: DaemonServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  async listen(): Promise<void> {
    const { path } = this.#options;
    prepareSocketFolder(path);
    // We hold the lock of the data directory, so the process that bound this path is dead.
    if (process.platform !== 'win32') removeFile(path);
    const mask = process.platform === 'win32' ? 0 : process.umask(0o177);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(path, resolve);
      });
    } finally {
      if (process.platform !== 'win32') process.umask(mask);
    }
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  /** Requests of all clients that are not answered yet. */
  get openRequests(): number {
    const open = [...this.#clients.values()].flatMap(({ channel }) => [
      ...channel.openRequests.values(),
    ]);
    // A subscription stays open for as long as its client likes; it has no pending answer.
    return open.filter(({ method }) => method !== 'subscriptions/listen').length;
  }

  /** From now on the daemon tells clients to wait for the next daemon. */
  stopAccepting(): void {
    this.#isStopping = true;
  }

  /** Accepts no more clients and hands the present ones to the next daemon. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopAccepting();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const reason = new PmlError('DAEMON_UNREACHABLE', 'the daemon stops');
    for (const client of this.#clients.values()) client.tellStopping?.();
    await Promise.all([...this.#clients.values()].map(({ session }) => session.close(reason)));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    this.#greet(socket).catch((error: unknown) => {
      this.#options.log.warn('connection refused', { error: messageOf(error) });
      socket.destroy();
    });
  }

  async #greet(socket: Socket): Promise<void> {
    const { line, rest } = await readFirstLine(socket, HELLO_TIMEOUT_MS);
    const hello = JSON.parse(line) as Hello;
    const refusal = this.#refuse(hello);
    const { version, build } = this.#options;
    const reply: HelloReply = refusal ?? { ok: true, version, pid: process.pid, build };
    socket.write(`${JSON.stringify(reply)}\n`);
    if (refusal) return void socket.end();
    switch (hello.kind) {
      case 'session':
        return this.#openSession(socket, hello, rest);
      case 'side':
        return this.#openSide(socket, hello.session);
      case 'control':
        return this.#openControl(socket, rest);
    }
  }

  #refuse(hello: Hello): HelloReply | undefined {
    const refuse = (code: (HelloReply & { ok: false })['code'], message: string) =>
      ({ ok: false, code, message }) as const;
    if (!['session', 'side', 'control'].includes(hello.kind)) {
      return refuse('BAD_HELLO', 'unknown kind of connection');
    }
    if (hello.protocol !== PROTOCOL) {
      return refuse('PROTOCOL_MISMATCH', `this daemon speaks relay protocol ${PROTOCOL}`);
    }
    if (this.#isStopping) return refuse('STOPPING', 'this daemon stops');
    const config = hello.kind === 'side' ? undefined : hello.config;
    if (config !== undefined && config !== this.#options.config) {
      return refuse(
        'CONFIG_MISMATCH',
        `The daemon of this data directory uses ${this.#options.config}, not ${config}. Give the second configuration a "dataDir" of its own, or run pml stop first.`,
      );
    }
    const profile = hello.kind === 'session' ? hello.profile : undefined;
    const unknown = profile === undefined ? undefined : this.#options.refuseProfile?.(profile);
    return unknown === undefined ? undefined : refuse('PROFILE_UNKNOWN', unknown);
  }

  #openSession(socket: Socket, hello: Hello & { kind: 'session' }, rest: Buffer): void {
    const { sessions, log, maxMessageBytes, version } = this.#options;
    const channel = new SocketChannel(socket, { maxBytes: maxMessageBytes, log });
    const session = new Session(sessions, channel, {
      id: hello.session,
      profile: hello.profile,
      onStateChange: () => this.#clients.get(hello.session)?.tellState?.(),
      onClose: () => {
        this.#clients.delete(hello.session);
        this.#options.onClientsChanged(this.#clients.size);
      },
    });
    if (hello.resume) session.restore(hello.resume);
    this.#clients.set(hello.session, { session, channel });
    this.#options.onClientsChanged(this.#clients.size);
    channel.feed(rest);
    if (isNewer(hello.version, version)) this.#options.onOutdated(hello.version);
  }

  /** Reports to the relay, at intervals, what it needs if this daemon dies. */
  #openSide(socket: Socket, id: string): void {
    const client = this.#clients.get(id);
    if (!client) return void socket.end();
    const { channel, session } = client;
    const writer = new LineWriter(socket);
    const say = (message: SideMessage) => writer.write(message);
    let timer: NodeJS.Timeout | undefined;
    let toldState = '';
    const tellState = () => {
      const state = JSON.stringify(session.state);
      if (state !== toldState && socket.writable) say({ type: 'state', state: session.state });
      toldState = state;
    };
    // Only between turns of the loop: then every answer that counts as given has been written.
    const report = () => {
      timer = undefined;
      if (!socket.writable) return;
      const { bytesRead: read, bytesWritten: written, openRequests } = channel;
      const open = [...openRequests.values()].map(describeOpen);
      say({ type: 'progress', read, written, open });
    };
    channel.onactivity = () => (timer ??= setTimeout(report, REPORT_MS));
    client.tellState = tellState;
    client.tellStopping = () => {
      if (!socket.writable) return;
      say({ type: 'stopping' });
      writer.flush();
    };
    socket.on('error', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
    tellState();
    channel.onactivity();
  }

  #openControl(socket: Socket, rest: Buffer): void {
    const { log, maxMessageBytes, control } = this.#options;
    const channel = new SocketChannel(socket, { maxBytes: maxMessageBytes, log });
    const peer = new Peer(
      channel,
      {
        request: async ({ method, params }) => {
          try {
            return await control(method, params ?? {});
          } catch (error) {
            if (!(error instanceof PmlError)) throw error;
            throw new RpcError(RPC.internalError, error.message, { code: error.code });
          }
        },
        notification: () => {},
        closed: () => {},
      },
      log,
    );
    void peer;
    channel.feed(rest);
  }
}

/** Compares `1.2.3` numerically. */
function isNewer(one: string, other: string): boolean {
  const parts = (version: string) => version.split(/[.-]/).map((part) => Number(part) || 0);
  const [a, b] = [parts(one), parts(other)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
