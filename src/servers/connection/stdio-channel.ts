import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import spawn from 'cross-spawn';

import {
  type Logger,
  messageOf,
  MOST_NESTING,
  nestsTooDeep,
  PmlError,
  type StdioSpec,
} from '../../core/index.js';
import {
  type ChildRecords,
  descriptors,
  hasRoom,
  isGroupAlive,
  signalGroup,
} from '../../process/index.js';
import {
  type Channel,
  LineSplitter,
  LineWriter,
  parseLine,
  type RpcMessage,
} from '../../rpc/index.js';
import type { ServerLog } from '../server-log.js';
import { childEnvironment } from './child-environment.js';

/** How long each stage of an ending may take: stdin closed, SIGTERM, SIGKILL. */
const STAGE_MS = 700;
/** Its pipes, its log, and what starting it takes for a moment. */
const FILES_OF_A_SERVER = 8;
/** Lines of garbage we report before we stop repeating ourselves. */
const MAX_GARBAGE_REPORTS = 5;
/** Shorter ones are parsed in a moment, whatever is in them. */
const LONG_LINE_BYTES = 1_000_000;

export interface StdioChannelOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly maxMessageBytes: number;
  readonly records: ChildRecords;
  readonly serverLog: ServerLog;
  readonly log: Logger;
}

/**
 * A server as a child process, one message a line. The child leads a process group of its own, so
 * that whatever it starts ends with it.
 */
export class StdioChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  readonly #spec: StdioSpec;
  readonly #options: StdioChannelOptions;
  readonly #child: ChildProcess;
  readonly #lines: LineSplitter;
  readonly #writer: LineWriter | undefined;
  #garbage = 0;
  #garbageBytes = 0;
  #reason: Error | undefined;
  #isClosed = false;
  /** We end it, in stages that are `close`'s business. */
  #isClosing = false;

  private constructor(spec: StdioSpec, options: StdioChannelOptions, child: ChildProcess) {
    this.#spec = spec;
    this.#options = options;
    this.#child = child;
    this.#lines = new LineSplitter(options.maxMessageBytes);
    this.#writer = child.stdin ? new LineWriter(child.stdin) : undefined;
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    const printed = options.serverLog.openLines();
    child.stderr?.on('data', (chunk: Buffer) => printed.write(chunk));
    child.stderr?.once('close', () => printed.end());
    child.stdin?.on('error', (error) => this.#fail(this.#crashed(error.message)));
    child.once('exit', (code, signal) => this.#onExit(code, signal));
    if (child.exitCode !== null || child.signalCode !== null) {
      this.#onExit(child.exitCode, child.signalCode);
    }
  }

  static async open(spec: StdioSpec, options: StdioChannelOptions): Promise<StdioChannel> {
    assertRoom(spec);
    const child = spawn(spec.command, [...spec.args], {
      env: childEnvironment(options.environment, spec.env),
      cwd: spec.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // At once: whatever happens to us from here on, the next daemon must know of it.
    if (child.pid !== undefined) options.records.add(child.pid, spec.name);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw notStarted(spec, error);
    }
    return new StdioChannel(spec, options, child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: RpcMessage): void {
    if (this.#isClosed || !this.#child.stdin?.writable) throw this.#reason ?? this.#crashed('gone');
    this.#writer?.write(message);
  }

  /** Ends the group in stages; resolves when it is gone. */
  async close(reason: Error): Promise<void> {
    this.#isClosing = true;
    this.#fail(reason);
    const { pid } = this.#child;
    if (pid === undefined) return;
    this.#writer?.flush();
    this.#child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#isGone(pid)) break;
      signalGroup(pid, signal);
    }
    await this.#isGone(pid);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.stdin?.destroy();
    this.#options.records.remove(pid);
  }

  async #isGone(pid: number): Promise<boolean> {
    const limit = AbortSignal.timeout(STAGE_MS);
    while (isGroupAlive(pid) && !limit.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return !isGroupAlive(pid);
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const line of this.#lines.push(chunk)) this.#readLine(line);
    } catch (error) {
      const tooLarge = `${this.#spec.name}: ${messageOf(error)}; the server is restarted at the next call. Raise limits.messageBytes if it should be allowed.`;
      const details = { server: this.#spec.name };
      void this.close(new PmlError('SERVER_TOO_LARGE', tooLarge, { cause: error, details }));
    }
  }

  #readLine(line: Buffer): void {
    if (line.length === 0) return;
    const text = line.toString('utf8');
    // Deep nesting is slow to parse: a long message of it would delay all clients.
    if (line.length > LONG_LINE_BYTES && nestsTooDeep(text)) return this.#giveUpOnDepth(text);
    const messages = parseLine(text);
    if (!messages) return this.#reportGarbage(line);
    for (const message of messages) this.onmessage?.(message);
  }

  #reportGarbage(line: Buffer): void {
    this.#garbage++;
    this.#garbageBytes += line.length;
    if (this.#garbageBytes > this.#options.maxMessageBytes) return this.#giveUpOnGarbage();
    if (this.#garbage > MAX_GARBAGE_REPORTS) return;
    if (line.toString('utf8', 0, 200).trim() === '') return;
    this.#options.serverLog.note(`[not MCP on stdout] ${line.toString('utf8', 0, 500)}`);
    this.#options.log.warn('prints something other than MCP messages on stdout; ignored', {
      bytes: line.length,
    });
  }

  /** Garbage does not end its brackets either; a message begins like one. */
  #giveUpOnDepth(text: string): void {
    const { name } = this.#spec;
    if (!text.trimStart().startsWith('{')) return this.#reportGarbage(Buffer.from(text));
    const why = `Server ${name} sent a message that nests more than ${MOST_NESTING} levels deep; it is restarted at the next call`;
    void this.close(new PmlError('SERVER_PROTOCOL_ERROR', why, { details: { server: name } }));
  }

  #giveUpOnGarbage(): void {
    const { name } = this.#spec;
    const why = `Server ${name} prints without end what is not MCP; it is restarted at the next call`;
    void this.close(new PmlError('SERVER_PROTOCOL_ERROR', why, { details: { server: name } }));
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    this.#fail(this.#crashed(how));
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (this.#isClosing) return;
    // The leader died on its own; what it left in its group would be an orphan.
    signalGroup(pid, 'SIGKILL');
    this.#options.records.remove(pid);
  }

  #fail(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reason = reason;
    this.onclose?.(reason);
  }

  #crashed(how: string): PmlError {
    const { name } = this.#spec;
    return new PmlError(
      'SERVER_CRASHED',
      `Server ${name} ${how}; it is restarted at the next call. Its own messages: pml logs ${name}`,
      { details: { server: name } },
    );
  }
}

/** Refused here, a server cannot take the last files from those that need them more. */
function assertRoom({ name }: StdioSpec): void {
  const now = descriptors();
  if (!now || hasRoom(now, FILES_OF_A_SERVER)) return;
  throw new PmlError(
    'SERVER_NOT_STARTED',
    `Server ${name} was not started: PML may have ${now.limit} files open at once and has ${now.used}; ` +
      'the store and the journal need the rest. Raise the limit (`ulimit -n 4096` before the client ' +
      'is started, or LimitNOFILE of its service) and run `pml restart`, or disable servers.',
    { details: { server: name, limit: now.limit, used: now.used } },
  );
}

function notStarted(spec: StdioSpec, cause: unknown): PmlError {
  const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  const hint = isMissing
    ? `is ${spec.command} installed and on PATH${spec.cwd ? `, and does ${spec.cwd} exist` : ''}?`
    : messageOf(cause);
  return new PmlError(
    'SERVER_NOT_STARTED',
    `Server ${spec.name} could not be started (${spec.command}): ${hint}`,
    { cause, details: { server: spec.name, command: spec.command } },
  );
}
