import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { PmlError } from '../core/errors.js';
import { writeNow } from '../rpc/write-now.js';
import { ByteLog } from './byte-log.js';
import { type DaemonConnection, greetDaemon } from './connect.js';
import { type Hello, PROTOCOL, type SideMessage } from './hello.js';
import type * as LostRequests from './lost-requests.js';

const NEWLINE = 0x0a;
const CONNECT_TIMEOUT_MS = 60_000;
const LOAD_LATE_MS = 500;
const FIRST_RETRY_MS = 10;
const LONGEST_RETRY_MS = 250;
/** A daemon that was just started listens after some hundred milliseconds: the client waits for it. */
const START_MS = 2_000;
const START_RETRY_MS = 15;
/** If a started daemon does not listen by then, the relay starts it again. */
const START_AGAIN_MS = 8_000;
/** Both connections of a dead daemon close at once, but the two events may arrive apart. */
const LAST_WORDS_MS = 250;

export interface RelayOptions {
  readonly path: string;
  readonly version: string;
  readonly config: string;
  /** Name of the profile that the client uses. */
  readonly profile?: string | undefined;
  readonly input: Readable;
  readonly output: Writable;
  readonly startDaemon: () => void;
  /** Why the daemon we started could not start, if it said so. */
  readonly startError: () => PmlError | undefined;
  /** The error for a daemon that exists and does not answer. */
  readonly silenceError: () => Promise<PmlError>;
  /** A line for the user, on stderr. */
  readonly say: (line: string) => void;
}

/**
 * Carries bytes between a client and the daemon without looking into them. It keeps what the
 * daemon has not confirmed, so that it can replace a dead daemon: only then does it read the kept
 * lines, answer calls in flight with an error, and resend read-only requests.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #id = randomUUID();
  readonly #sent = new ByteLog();
  readonly #received = new ByteLog();
  #open: readonly LostRequests.OpenRequest[] = [];
  /** A report that counts answers still on their way; the relay applies it when they are here. */
  #report: (SideMessage & { type: 'progress' }) | undefined;
  #resume: (SideMessage & { type: 'state' })['state'] | undefined;
  #socket: Socket | undefined;
  #sideClosed: Promise<unknown> = Promise.resolve();
  /** The user stopped the daemon on purpose. */
  #wasStopped = false;
  /** Client bytes whose line has no end yet. */
  #waiting: Buffer[] = [];
  /** Whole lines for the next daemon. */
  #queue: Buffer[] = [];
  #onQueued: () => void = () => {};
  #hasEnded = false;
  #lostRequests: Promise<typeof LostRequests> | undefined;
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
    if (this.#waiting.length === 0 && chunk.at(-1) === NEWLINE) return this.#toDaemon(chunk);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) return void this.#waiting.push(chunk);
    const lines = [...this.#waiting, end === chunk.length ? chunk : chunk.subarray(0, end)];
    this.#waiting = end === chunk.length ? [] : [chunk.subarray(end)];
    for (const part of lines) this.#toDaemon(part);
  }

  #toDaemon(lines: Buffer): void {
    if (this.#socket) {
      this.#sent.append(lines);
      pass(lines, this.#options.input, this.#socket);
    } else {
      this.#queue.push(lines);
      this.#onQueued();
    }
  }

  async #connect(): Promise<DaemonConnection> {
    const { version, config, profile, startDaemon, startError } = this.#options;
    const deadline = performance.now() + CONNECT_TIMEOUT_MS;
    let started = -Infinity;
    let pause = FIRST_RETRY_MS;
    let isSilent = false;
    while (performance.now() < deadline) {
      const connection = await this.#greet({
        kind: 'session',
        protocol: PROTOCOL,
        version,
        session: this.#id,
        config,
        ...(profile !== undefined && { profile }),
        ...(this.#resume && { resume: this.#resume }),
      });
      isSilent = connection === 'silent';
      // A suspended daemon may continue later; it holds the lock, so a second one does not help.
      if (connection === 'silent') continue;
      if (connection?.reply.ok) return connection;
      if (connection && !connection.reply.ok) {
        connection.socket.destroy();
        const { code, message } = connection.reply;
        if (code === 'CONFIG_MISMATCH') throw new PmlError('DATA_DIR_IN_USE', message);
        if (code === 'PROFILE_UNKNOWN') throw new PmlError('PROFILE_UNKNOWN', message);
      } else if (performance.now() - started > START_AGAIN_MS) {
        started = performance.now();
        startDaemon();
      }
      await delay(pause);
      const error = started > 0 ? startError() : undefined;
      if (error) throw error;
      const isStarting = performance.now() - started < START_MS;
      pause = isStarting ? START_RETRY_MS : Math.min(pause * 1.5, LONGEST_RETRY_MS);
    }
    if (isSilent) throw await this.#options.silenceError();
    throw new PmlError(
      'DAEMON_UNREACHABLE',
      `The PML daemon did not start within ${CONNECT_TIMEOUT_MS / 1000} s; see pml logs`,
    );
  }

  async #greet(hello: Hello): Promise<DaemonConnection | 'silent' | undefined> {
    try {
      return await greetDaemon(this.#options.path, hello);
    } catch (error) {
      if (error instanceof PmlError && error.code === 'DAEMON_SILENT') return 'silent';
      throw error;
    }
  }

  async #attach({ socket, rest }: DaemonConnection): Promise<void> {
    this.#socket = socket;
    // Every daemon counts from zero.
    this.#sent.reset();
    this.#received.reset();
    const { output } = this.#options;
    let partial: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      this.#received.append(chunk);
      this.#applyReport();
      if (partial.length === 0 && chunk.at(-1) === NEWLINE) {
        return pass(chunk, socket, output);
      }
      // The relay passes only whole lines on: half an answer of a dying daemon is useless.
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end === 0) return void partial.push(chunk);
      for (const part of partial) pass(part, socket, output);
      partial = end === chunk.length ? [] : [chunk.subarray(end)];
      pass(end === chunk.length ? chunk : chunk.subarray(0, end), socket, output);
    };
    socket.on('data', onData);
    socket.once(
      'close',
      () => void this.#onDaemonGone().catch((error: Error) => this.#finish(error)),
    );
    socket.on('error', () => socket.destroy());
    if (rest.length > 0) onData(rest);
    for (const lines of this.#queue.splice(0)) this.#toDaemon(lines);
    if (this.#hasEnded) socket.end();
    await this.#watchSide();
    setTimeout(() => void this.#loadLostRequests(), LOAD_LATE_MS).unref();
  }

  async #watchSide(): Promise<void> {
    const hello = { kind: 'side', protocol: PROTOCOL, session: this.#id } as const;
    const side = await this.#greet(hello);
    if (side === 'silent' || !side) return;
    if (!side.reply.ok) return void side.socket.destroy();
    let text = '';
    const read = (chunk: Buffer) => {
      const lines = `${text}${chunk.toString('utf8')}`.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#onSide(JSON.parse(line) as SideMessage);
    };
    side.socket.on('data', read);
    side.socket.on('error', () => side.socket.destroy());
    this.#sideClosed = new Promise((resolve) => side.socket.once('close', resolve));
    side.socket.unref();
    if (side.rest.length > 0) read(side.rest);
  }

  #onSide(message: SideMessage): void {
    switch (message.type) {
      case 'state':
        // A session that was never initialised has no state to resume.
        if (message.state.protocolVersion !== undefined) this.#resume = message.state;
        return;
      case 'stopping':
        this.#wasStopped = true;
        return;
      case 'progress':
        this.#report = message;
        this.#applyReport();
    }
  }

  #applyReport(): void {
    const report = this.#report;
    if (!report || report.written > this.#received.end) return;
    this.#report = undefined;
    this.#sent.trim(report.read);
    this.#received.trim(report.written);
    this.#open = report.open;
  }

  async #onDaemonGone(): Promise<void> {
    this.#socket = undefined;
    if (this.#hasEnded) return this.#finish();
    await Promise.race([this.#sideClosed, delay(LAST_WORDS_MS)]);
    const { findLost } = await this.#loadLostRequests();
    const lost = findLost(
      this.#sent.read().split('\n'),
      this.#received.read().split('\n'),
      this.#open,
    );
    this.#open = [];
    this.#report = undefined;
    this.#resume ??= lost.session;
    for (const error of lost.errors) this.#options.output.write(`${JSON.stringify(error)}\n`);
    this.#queue.unshift(...lost.repeat.map((line) => Buffer.from(`${line}\n`, 'utf8')));
    if (this.#wasStopped) await this.#untilNeeded();
    this.#wasStopped = false;
    if (this.#hasEnded) return this.#finish();
    this.#options.say('pml: the daemon ended; starting it again');
    await this.#attach(await this.#connect());
  }

  /** Needed only after a daemon died, so not loaded at start; but before an update. */
  #loadLostRequests(): Promise<typeof LostRequests> {
    this.#lostRequests ??= import('./lost-requests.js');
    return this.#lostRequests;
  }

  /** A user who stopped the daemon on purpose wants it to stay away until a client needs it. */
  async #untilNeeded(): Promise<void> {
    if (this.#queue.length > 0 || this.#hasEnded) return;
    await new Promise<void>((resolve) => (this.#onQueued = resolve));
  }

  #clientLeft(): void {
    this.#hasEnded = true;
    this.#onQueued();
    if (this.#socket) this.#socket.end();
    else this.#finish();
  }
}

/** Passes bytes on and pauses the source while the target is behind. */
function pass(bytes: Buffer, from: Readable, to: Writable): void {
  writeNow(to, bytes);
  if (!to.writableNeedDrain || from.isPaused()) return;
  from.pause();
  const goOn = () => {
    to.off('drain', goOn);
    to.off('close', goOn);
    from.resume();
  };
  to.once('drain', goOn);
  // A dead daemon never drains; the client must be read again for its successor.
  to.once('close', goOn);
}
