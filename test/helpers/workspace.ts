import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { defaultDataDir } from '../../src/config/find.js';
import type { DaemonStatus } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { type ClientOptions, PmlClient } from './pml-client.js';
import { installStore } from './prepared-store.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** While processes end, how many looks pass before the daemon is asked to stop again. */
const LOOKS_BETWEEN_STOPS = 20;
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));

type Json = Record<string, unknown>;

export interface ProcessInfo {
  readonly pid: number;
  readonly kind: 'relay' | 'daemon' | 'server' | 'model';
  readonly command: string;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An entry of `mcpServers` for one of our fixture servers. */
export function fixtureServer(
  file: 'ahead-server.mjs' | 'chaos-server.mjs' | 'plain-server.mjs',
  env: Record<string, string> = {},
  rest: Json = {},
): Json {
  return { command: process.execPath, args: [join(FIXTURES, file)], env, ...rest };
}

export const plain = (rest: Json = {}) => fixtureServer('plain-server.mjs', {}, rest);
export const chaos = (fault = '', env: Record<string, string> = {}, rest: Json = {}) =>
  fixtureServer('chaos-server.mjs', { FAULT: fault, ...env }, rest);

export interface WorkspaceOptions {
  /** Added to the environment of everything that is started. */
  readonly variables?: Readonly<Record<string, string>>;
  /** PML never ran in it: its first daemon installs the store. */
  readonly isNew?: boolean;
}

/**
 * A configuration with a data directory of its own, and everything that is started on it. The
 * temporary directory in their environment marks every process, so disposal can prove that none is
 * left: it fails when one is.
 */
export class Workspace implements AsyncDisposable {
  readonly path: string;
  readonly configPath: string;
  readonly dataDir: string;
  readonly #clients: PmlClient[] = [];

  readonly #variables: Readonly<Record<string, string>>;

  private constructor(path: string, variables: Readonly<Record<string, string>>) {
    this.path = path;
    this.#variables = variables;
    this.configPath = join(path, 'pml.json');
    this.dataDir = defaultDataDir(this.configPath, { HOME: path });
  }

  static async create(
    config: Json | string,
    { variables = {}, isNew = false }: WorkspaceOptions = {},
  ): Promise<Workspace> {
    if (!existsSync(CLI)) throw new Error('dist/cli.js is missing: run npm run build first');
    const workspace = new Workspace(await mkdtemp('/tmp/pml-process-'), variables);
    mkdirSync(join(workspace.path, 'tmp'));
    if (!isNew) installStore(workspace.dataDir);
    workspace.configure(config);
    return workspace;
  }

  /**
   * An object is without a model unless it names one: loading it, and reading every tool with it, would
   * cost each daemon seconds of all cores. A text is written as it is.
   */
  configure(config: Json | string): void {
    const text =
      typeof config === 'string'
        ? config
        : JSON.stringify({ embedding: 'none', ...config }, undefined, 2);
    writeFileSync(this.configPath, text);
  }

  /** Starts a relay without saying anything to it. */
  spawn(options: Partial<ClientOptions> = {}): PmlClient {
    const command = [process.execPath, CLI, 'serve', '--config', this.configPath];
    const client = new PmlClient({ command, env: this.#environment(), ...options });
    this.#clients.push(client);
    return client;
  }

  /** Starts a relay and greets. */
  async connect(options: Partial<ClientOptions> = {}): Promise<PmlClient> {
    const client = this.spawn(options);
    const { error } = await client.initialize();
    if (error) throw new Error(`initialize failed: ${error.message}\n${client.stderr}`);
    return client;
  }

  /** Runs `pml` to its end, on the configuration of the workspace unless another one is named. */
  run(...args: string[]): Promise<CommandResult> {
    return this.runIn(process.cwd(), ...args);
  }

  /** Runs `pml` in a folder. */
  runIn(cwd: string, ...args: string[]): Promise<CommandResult> {
    return new Promise((resolve) => {
      const options = { cwd, env: this.#environment(), maxBuffer: 64_000_000 };
      const named = args.includes('--config') ? [] : ['--config', this.configPath];
      const all = [CLI, ...args, ...named];
      const child = execFile(process.execPath, all, options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
      child.stdin?.end();
    });
  }

  /** Starts `pml` and leaves it running. */
  start(...args: string[]): ChildProcessWithoutNullStreams {
    const all = [CLI, ...args, '--config', this.configPath];
    return spawn(process.execPath, all, { env: this.#environment() });
  }

  /** What `pml status` shows, asked for without the cost of a process. */
  async status(): Promise<DaemonStatus> {
    const status = await askDaemon(this.dataDir, 'status');
    if (!status) throw new Error('no daemon runs');
    return status as unknown as DaemonStatus;
  }

  async server(name: string): Promise<DaemonStatus['servers'][number]> {
    const { servers } = await this.status();
    const found = servers.find((server) => server.name === name);
    if (!found) throw new Error(`no server ${name}`);
    return found;
  }

  get log(): string {
    const path = join(this.dataDir, 'logs', 'daemon.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Every process that was started in this workspace and still lives. */
  processes(kind?: ProcessInfo['kind']): readonly ProcessInfo[] {
    const mark = `TMPDIR=${join(this.path, 'tmp')}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => processInfo(Number(name), mark))
      .filter((one) => kind === undefined || one.kind === kind);
  }

  daemonPid(): number | undefined {
    return this.processes('daemon')[0]?.pid;
  }

  /** Ends relays and daemon, and waits until nothing is left. */
  async stop(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client[Symbol.asyncDispose]()));
    await this.#allGone();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop();
    } finally {
      for (const { pid } of this.processes()) killIfAlive(pid);
      if (!process.env['PML_TEST_KEEP']) await rm(this.path, { recursive: true, force: true });
    }
  }

  /** Without the cost of a process, where there is a daemon that can be asked. */
  async #stopDaemon(): Promise<void> {
    try {
      if (await askDaemon(this.dataDir, 'stop')) return;
    } catch {
      // It ends already, or cannot be spoken with: the command knows what to do then.
    }
    await this.run('stop');
  }

  /**
   * Asks the daemon to stop until nothing is left: a daemon that a client started a moment ago may not
   * listen yet. Not `expect.poll`: this runs in hooks and disposal too.
   */
  async #allGone(): Promise<void> {
    const limit = AbortSignal.timeout(30_000);
    for (let looks = 0; this.processes().length > 0; looks += 1) {
      if (limit.aborted) {
        throw new Error(
          `left behind: ${this.processes()
            .map(({ command }) => command)
            .join('\n')}`,
        );
      }
      if (looks % LOOKS_BETWEEN_STOPS === 0 && this.daemonPid()) await this.#stopDaemon();
      await delay(50);
    }
  }

  #environment(): NodeJS.ProcessEnv {
    const { PATH, LANG } = process.env;
    return { PATH, LANG, ...this.#variables, HOME: this.path, TMPDIR: join(this.path, 'tmp') };
  }
}

export function killIfAlive(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already, which is what we want.
  }
}

function processInfo(pid: number, mark: string): readonly ProcessInfo[] {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    if (!environment.includes(mark)) return [];
    const args = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    readlinkSync(`/proc/${pid}/exe`); // A zombie has none.
    return [{ pid, kind: kindOf(args), command: args.join(' ').trim() }];
  } catch {
    return []; // It ended while we looked.
  }
}

function kindOf(args: readonly string[]): ProcessInfo['kind'] {
  // It names itself; before that, it is its file.
  if (args.some((one) => /^pml-embedding|model-process\.js$/.test(one))) return 'model';
  if (!args.includes(CLI)) return 'server';
  return args[args.indexOf(CLI) + 1] === 'daemon' ? 'daemon' : 'relay';
}
