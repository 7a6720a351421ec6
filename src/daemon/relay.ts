import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { PmlError } from '../core/index.js';
import { type RpcId, writeNow } from '../rpc/index.js';
import { ByteLog } from './byte-log.js';
import { type DaemonConnection, greetDaemon } from './connect.js';
import { PROTOCOL, type SideMessage } from './hello.js';
import { findLost } from './lost-requests.js';

const NEWLINE = 0x0a;
const CONNECT_TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 10;
const LONGEST_RETRY_MS = 250;
/** A daemon that was started and does not listen by then is started again. */
const START_AGAIN_MS = 8_000;

export interface RelayOptions {
  readonly path: string;
  readonly version: string;
  readonly config: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly startDaemon: () => void;
  /** Why the daemon we started could not start, if it said so. */
  readonly startError: () => PmlError | undefined;
  /** A line for the user, on stderr. */
  readonly say: (line: string) => void;
}

/**
 * Carries bytes between a client and the daemon without looking into them. It keeps what the
 * daemon has not confirmed, so that a dead daemon can be replaced: only then are the kept lines
 * read, calls in flight answered with an error, and questions that change nothing asked again.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #id = randomUUID();
  readonly #sent = new ByteLog();
  readonly #received = new ByteLog();
  #open: readonly RpcId[] = [];
  #resume: (SideMessage & { type: 'state' })['state'] | undefined;
  #socket: Socket | undefined;
  /** Client bytes that have no place to go yet, or no end yet. */
  #waiting: Buffer[] = [];
  #hasEnded = false;
  #finish: (error?: Error) => void = () => {};

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Resolves when the client has left; rejects when no daemon can be had. */
  async run(): Promise<void> {
    const { input } = this.#options;
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = (error) => (error ? reject(error) : resolve());
    });
    input.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    input.once('end', () => this.#clientLeft());
    input.once('error', () => this.#clientLeft());
    await this.#attach(await this.#connect());
    await finished;
  }

  #fromClient(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) return void this.#waiting.push(chunk);
    const lines = [...this.#waiting, end === chunk.length ? chunk : chunk.subarray(0, end)];
    this.#waiting = end === chunk.length ? [] : [chunk.subarray(end)];
    for (const part of lines) this.#toDaemon(part);
  }

  /** Whole lines only; without a daemon they wait in the log of what was sent. */
  #toDaemon(lines: Buffer): void {
    this.#sent.append(lines);
    if (this.#socket) writeNow(this.#socket, lines);
  }

  async #connect(): Promise<DaemonConnection> {
    const { path, version, config, startDaemon, startError } = this.#options;
    const deadline = Date.now() + CONNECT_TIMEOUT_MS;
    let started = 0;
    let pause = FIRST_RETRY_MS;
    while (Date.now() < deadline) {
      const connection = await greetDaemon(path, {
        kind: 'session',
        protocol: PROTOCOL,
        version,
        session: this.#id,
        config,
        ...(this.#resume && { resume: this.#resume }),
      });
      if (connection?.reply.ok) return connection;
      if (connection && !connection.reply.ok) {
        connection.socket.destroy();
        const { code, message } = connection.reply;
        if (code === 'CONFIG_MISMATCH') throw new PmlError('DATA_DIR_IN_USE', message);
      } else if (Date.now() - started > START_AGAIN_MS) {
        started = Date.now();
        startDaemon();
      }
      await delay(pause);
      const error = started > 0 ? startError() : undefined;
      if (error) throw error;
      pause = Math.min(pause * 1.5, LONGEST_RETRY_MS);
    }
    throw new PmlError(
      'DAEMON_UNREACHABLE',
      `The PML daemon did not start within ${CONNECT_TIMEOUT_MS / 1000} s; see pml logs`,
    );
  }

  async #attach({ socket, rest }: DaemonConnection): Promise<void> {
    this.#socket = socket;
    let partial: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      this.#received.append(chunk);
      // A line is passed on when it is whole: half an answer of a dying daemon helps nobody.
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end === 0) return void partial.push(chunk);
      const { output } = this.#options;
      for (const part of partial) writeNow(output, part);
      partial = end === chunk.length ? [] : [chunk.subarray(end)];
      writeNow(output, end === chunk.length ? chunk : chunk.subarray(0, end));
    };
    socket.on('data', onData);
    socket.once(
      'close',
      () => void this.#onDaemonGone().catch((error: Error) => this.#finish(error)),
    );
    socket.on('error', () => socket.destroy());
    if (rest.length > 0) onData(rest);
    const unsent = this.#sent.read();
    if (unsent !== '') socket.write(unsent);
    if (this.#hasEnded) socket.end();
    await this.#watchSide();
  }

  async #watchSide(): Promise<void> {
    const hello = { kind: 'side', protocol: PROTOCOL, session: this.#id } as const;
    const side = await greetDaemon(this.#options.path, hello);
    if (!side?.reply.ok) {
      side?.socket.destroy();
      return;
    }
    let text = '';
    const read = (chunk: Buffer) => {
      const lines = `${text}${chunk.toString('utf8')}`.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#onSide(JSON.parse(line) as SideMessage);
    };
    side.socket.on('data', read);
    side.socket.on('error', () => side.socket.destroy());
    side.socket.unref();
    if (side.rest.length > 0) read(side.rest);
  }

  #onSide(message: SideMessage): void {
    if (message.type === 'state') {
      // A session that was never initialised has nothing to take up.
      if (message.state.protocolVersion !== undefined) this.#resume = message.state;
      return;
    }
    this.#sent.trim(message.read);
    this.#received.trim(message.written);
    this.#open = message.open;
  }

  async #onDaemonGone(): Promise<void> {
    this.#socket = undefined;
    if (this.#hasEnded) return this.#finish();
    this.#options.say('pml: the daemon ended; starting it again');
    const lost = findLost(
      this.#sent.read().split('\n'),
      this.#received.read().split('\n'),
      this.#open,
    );
    this.#sent.trim(this.#sent.end);
    this.#received.trim(this.#received.end);
    this.#open = [];
    for (const error of lost.errors) this.#options.output.write(`${JSON.stringify(error)}\n`);
    const connection = await this.#connect();
    this.#restartCounting(lost.repeat);
    await this.#attach(connection);
  }

  /** The new daemon counts from zero; what must be asked again comes first. */
  #restartCounting(repeat: readonly string[]): void {
    const since = this.#sent.read();
    this.#sent.reset();
    this.#received.reset();
    const lines = repeat.map((line) => `${line}\n`).join('') + since;
    if (lines !== '') this.#sent.append(Buffer.from(lines, 'utf8'));
  }

  #clientLeft(): void {
    this.#hasEnded = true;
    if (this.#socket) this.#socket.end();
    else this.#finish();
  }
}
