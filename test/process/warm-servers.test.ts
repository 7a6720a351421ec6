/** Servers that PML starts before a call needs them, checked by the requests they got. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test, vi } from 'vitest';

import type { DaemonStatus } from '../../src/control/index.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURE = fileURLToPath(new URL('../fixtures/slow-start-server.mjs', import.meta.url));
/** On a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 50 };

const ABOUT = {
  weather: 'Tells the weather forecast of a city',
  invoice: 'Finds an unpaid invoice of a customer',
} as const;
type Name = keyof typeof ABOUT;

/** A client of a daemon that knows the tools of its servers, none of which runs. */
class WarmBed implements AsyncDisposable {
  readonly #workspace: Workspace;
  #client: PmlClient | undefined;

  private constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  static async create(speculation: object | string = 'warm', entry: object = {}): Promise<WarmBed> {
    const workspace = await Workspace.create('{}');
    const bed = new WarmBed(workspace);
    workspace.configure({ speculation: 'off', mcpServers: bed.#servers(entry) });
    await workspace.connect();
    await vi.waitFor(async () => {
      const { servers } = await workspace.status();
      if (!servers.every(({ listed }) => listed)) throw new Error('not every server is listed');
    }, PATIENCE);
    await workspace.stop();
    workspace.configure({ speculation, mcpServers: bed.#servers(entry) });
    rmSync(bed.#ledger, { force: true });
    await bed.#connect();
    return bed;
  }

  async #connect(): Promise<void> {
    this.#client = await this.#workspace.connect();
  }

  /** Ends the daemon; the next client starts another one. */
  async restart(): Promise<void> {
    await this.#workspace.stop();
    rmSync(this.#ledger, { force: true });
    await this.#connect();
  }

  async discover(intent: string): Promise<void> {
    await this.#client!.text('pml_discover', { intent });
  }

  async plan(intent: string): Promise<void> {
    await this.#client!.text('pml_execute_workflow', { intent });
  }

  call(name: Name): Promise<string> {
    return this.#client!.text('pml_execute_workflow', { tasks: [{ tool: `${name}:${name}` }] });
  }

  async stateOf(name: Name): Promise<string> {
    return (await this.#workspace.server(name)).state;
  }

  async isRunning(name: Name): Promise<void> {
    await vi.waitFor(async () => {
      const state = await this.stateOf(name);
      if (state !== 'running') throw new Error(`${name} is ${state}`);
    }, PATIENCE);
  }

  async speculation(): Promise<NonNullable<DaemonStatus['speculation']>> {
    return (await this.#workspace.status()).speculation!;
  }

  /** The requests a server got from the current daemon, including its starts. */
  asked(name: Name): readonly string[] {
    const lines = existsSync(this.#ledger) ? readFileSync(this.#ledger, 'utf8').split('\n') : [];
    const own = lines.filter((line) => line.startsWith(`${name} `));
    return own.map((line) => line.slice(name.length + 1));
  }

  fail(isFailing: boolean): void {
    if (isFailing) writeFileSync(this.#failFile, '');
    else rmSync(this.#failFile);
  }

  command(...args: string[]): ReturnType<Workspace['run']> {
    return this.#workspace.run(...args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace[Symbol.asyncDispose]();
  }

  get #ledger(): string {
    return join(this.#workspace.path, 'ledger');
  }

  get #failFile(): string {
    return join(this.#workspace.path, 'fail');
  }

  #servers(entry: object) {
    const env = { LEDGER: this.#ledger, FAIL_FILE: this.#failFile };
    const server = ([name, about]: [string, string]) =>
      [name, { command: process.execPath, args: [FIXTURE, name, about], env, ...entry }] as const;
    return Object.fromEntries(Object.entries(ABOUT).map(server));
  }
}

// covers: WARM-FIRST-CALL, WARM-SAFE
test('search starts the server of the tool it finds, and calls nothing', async () => {
  await using bed = await WarmBed.create();
  expect(await bed.stateOf('weather')).toBe('stopped');

  await bed.discover('weather forecast of a city');
  await bed.isRunning('weather');

  expect(await bed.stateOf('invoice')).toBe('stopped');
  expect(bed.asked('weather')).not.toContain('tools/call');
  expect(await bed.call('weather')).toContain('weather answered');
  await expect.poll(async () => (await bed.speculation()).warm.used).toBe(1);
  expect(bed.asked('weather').filter((one) => one === 'start')).toHaveLength(1);
  expect(await bed.speculation()).toMatchObject({
    mode: 'warm',
    warm: { started: 1, used: 1, wasted: 0, failed: 0, reasons: { discovered: 1 } },
  });
  expect((await bed.command('status')).stdout).toMatch(/ahead +warm: 1 servers started, 1 used/);
});

test('suggested plan starts the servers of its steps', async () => {
  await using bed = await WarmBed.create();

  await bed.plan('tell the weather forecast of a city');
  await bed.isRunning('weather');

  expect(bed.asked('weather')).not.toContain('tools/call');
  expect((await bed.speculation()).warm.reasons).toMatchObject({ suggested: 1 });
});

// covers: WARM-OFF
test('search and new session start no server while speculation is off', async () => {
  await using bed = await WarmBed.create('off');
  await bed.discover('weather forecast of a city');
  await bed.call('invoice');
  await bed.restart();

  await bed.discover('weather forecast of a city');
  await bed.discover('unpaid invoice of a customer');
  // Any prestart would have begun by now: this call took the same path after it.
  await bed.call('invoice');

  expect(bed.asked('weather')).toEqual([]);
  expect((await bed.speculation()).warm.started).toBe(0);
});

// covers: WARM-SAFE
test('search does not start a server that speculation.deny names', async () => {
  await using bed = await WarmBed.create({ mode: 'on', deny: ['weather:*'] });

  await bed.discover('weather forecast of a city');
  await bed.discover('unpaid invoice of a customer');
  await bed.isRunning('invoice');

  expect(bed.asked('weather')).toEqual([]);
});

// covers: WARM-SAFE
test('PML does not prestart a server whose last start failed until a call has started it', async () => {
  await using bed = await WarmBed.create();
  bed.fail(true);
  await expect(bed.call('weather')).rejects.toThrow('weather');
  const starts = bed.asked('weather').length;
  expect(starts).toBeGreaterThan(0);

  await bed.discover('weather forecast of a city');
  bed.fail(false);
  await bed.discover('unpaid invoice of a customer');
  await bed.isRunning('invoice');

  expect(bed.asked('weather')).toHaveLength(starts);
  await expect
    .poll(() => bed.call('weather').catch(String), PATIENCE)
    .toContain('weather answered');
});

// covers: WARM-LAST-TIME
test('new session starts the servers that its client used last, also after a daemon restart', async () => {
  await using bed = await WarmBed.create();
  await bed.call('invoice');

  await bed.restart();
  await bed.isRunning('invoice');

  expect(await bed.stateOf('weather')).toBe('stopped');
  expect(bed.asked('invoice')).not.toContain('tools/call');
  expect((await bed.speculation()).warm.reasons).toMatchObject({ session: 1, discovered: 0 });
});

test('search starts a per-client server for the client that searched', async () => {
  await using bed = await WarmBed.create('warm', { isolation: 'per-client' });

  await bed.discover('weather forecast of a city');
  await bed.isRunning('weather');
  await bed.call('weather');

  expect(bed.asked('weather').filter((one) => one === 'start')).toHaveLength(1);
  expect((await bed.speculation()).warm).toMatchObject({ started: 1, used: 1 });
});
