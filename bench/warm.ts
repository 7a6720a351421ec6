/**
 * How long the first call of a lazy server waits after a search, with and without servers that PML starts
 * ahead. Two daemons over the same servers, one with `speculation: "warm"` and one with `"off"`; the
 * measurements alternate, and before each of them no server runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { DaemonStatus } from '../src/control/index.js';
import { askDaemon } from '../src/daemon/index.js';
import { LineClient } from './line-client.js';
import { createReport, median, quantile, type Report, type Row } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const ROUNDS = 5;
/** Between a search and the call the agent thinks: 10.6 s at the median of recorded runs, here less. */
const THINK_MS = 2_000;
/** The worst case: the call follows the search at once. */
const HURRIED_ROUNDS = 3;
/** Longer than the agent thinks, so that what was started ahead is still there. */
const IDLE_STOP_MS = 3_000;
const LOOK_MS = 50;

const published = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});
const slow = (ms: number) => ({
  command: process.execPath,
  args: [
    join(ROOT, 'test/fixtures/slow-start-server.mjs'),
    'find_invoice',
    'Finds an unpaid invoice of a customer',
  ],
  env: { START_MS: String(ms) },
});

interface Asked {
  readonly intent: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What an agent searches for, and the call that it makes then. */
const ASKED: Readonly<Record<string, Asked>> = {
  filesystem: {
    intent: 'list the directories that may be read',
    tool: 'filesystem:list_allowed_directories',
    args: {},
  },
  memory: {
    intent: 'read the entire knowledge graph',
    tool: 'memory:read_graph',
    args: {},
  },
  everything: {
    intent: 'echo back the input message',
    tool: 'everything:echo',
    args: { message: 'hello' },
  },
  thinking: {
    intent: 'think through a problem step by step',
    tool: 'thinking:sequentialthinking',
    args: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
  },
  slow: { intent: 'find the unpaid invoice of a customer', tool: 'slow:find_invoice', args: {} },
};

/** A daemon whose servers are all known and lazy, and a client of it. */
class Side implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'pml-warm-'));
  readonly #config = join(this.#folder, 'pml.json');
  readonly #data = join(this.#folder, 'data');
  readonly #client: LineClient;

  constructor(speculation: 'off' | 'warm') {
    const files = join(this.#folder, 'files');
    mkdirSync(files);
    const mcpServers = {
      filesystem: published('filesystem', files),
      memory: published('memory'),
      everything: published('everything', 'stdio'),
      thinking: published('sequential-thinking'),
      slow: slow(1_000),
    };
    const limits = { idleStopMs: IDLE_STOP_MS };
    const config = { speculation, limits, dataDir: './data', mcpServers };
    writeFileSync(this.#config, JSON.stringify(config));
    this.#client = new LineClient([process.execPath, CLI, 'serve', '--config', this.#config]);
  }

  /** Every server was listed and has ended again, and the search has its model. */
  async prepare(): Promise<void> {
    await this.#client.initialize();
    await this.#until(({ servers }) => servers.every(({ listed }) => listed));
    for (const { intent } of Object.values(ASKED)) await this.#discover(intent);
    await this.#until(({ search }) => search.state === 'ready' && search.waiting === 0);
  }

  /** Milliseconds that the first call waits, some time after the search that shows its tool. */
  async firstCall({ intent, tool, args }: Asked, thinkMs: number): Promise<number> {
    await this.#until(({ servers }) => servers.every(({ state }) => state === 'stopped'));
    await this.#discover(intent);
    await delay(thinkMs);
    const began = performance.now();
    const answer = await this.#client.request('tools/call', {
      name: 'pml_execute_workflow',
      arguments: { tasks: [{ tool, args }] },
    });
    const ms = performance.now() - began;
    if (answer['isError']) throw new Error(`${tool} failed: ${JSON.stringify(answer)}`);
    return ms;
  }

  async warmed(): Promise<NonNullable<DaemonStatus['speculation']>['warm']> {
    await this.#until(({ servers }) => servers.every(({ state }) => state === 'stopped'));
    const { speculation } = await this.#status();
    if (!speculation) throw new Error('the daemon does not tell what it started ahead');
    return speculation.warm;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    execFileSync(process.execPath, [CLI, 'stop', '--config', this.#config], { stdio: 'ignore' });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #discover(intent: string): Promise<void> {
    await this.#client.request('tools/call', { name: 'pml_discover', arguments: { intent } });
  }

  async #status(): Promise<DaemonStatus> {
    const status = await askDaemon(this.#data, 'status');
    if (!status) throw new Error('no daemon runs');
    return status as unknown as DaemonStatus; // What the control connection carries.
  }

  async #until(isSo: (status: DaemonStatus) => boolean): Promise<void> {
    while (!isSo(await this.#status())) await delay(LOOK_MS);
  }
}

type Times = Readonly<Record<'off' | 'warm', number[]>>;

export async function run(): Promise<Report> {
  await using off = new Side('off');
  await off.prepare();
  await using warm = new Side('warm');
  await warm.prepare();
  const before = await warm.warmed();
  const thought = await measure({ off, warm }, ROUNDS, THINK_MS);
  const hurried = await measure({ off, warm }, HURRIED_ROUNDS, 0);
  const after = await warm.warmed();
  const all = joined([...thought.values()]);
  assertHalved(all);
  return createReport('warm', [
    ...[...thought].flatMap(([name, times]) => rowsOf(`${name}: first call`, times)),
    ...rowsOf(`all: first call ${THINK_MS / 1_000} s after the search`, all),
    { name: 'all: P95, off', value: quantile(all.off, 0.95), unit: 'ms' },
    { name: 'all: P95, warm', value: quantile(all.warm, 0.95), unit: 'ms' },
    ...rowsOf('all: first call at once after the search', joined([...hurried.values()])),
    { name: 'servers started ahead', value: after.started - before.started, unit: '' },
    { name: 'of these used', value: after.used - before.used, unit: '' },
    { name: 'of these not used', value: after.wasted - before.wasted, unit: '' },
  ]);
}

/** A B, then B A, so that neither side always goes first. */
async function measure(
  sides: Readonly<Record<'off' | 'warm', Side>>,
  rounds: number,
  thinkMs: number,
): Promise<ReadonlyMap<string, Times>> {
  const times = new Map<string, Times>();
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['off', 'warm'] as const) : (['warm', 'off'] as const);
    for (const [name, asked] of Object.entries(ASKED)) {
      const own = times.get(name) ?? { off: [], warm: [] };
      times.set(name, own);
      for (const side of order) own[side].push(await sides[side].firstCall(asked, thinkMs));
    }
  }
  return times;
}

function joined(all: readonly Times[]): Times {
  return { off: all.flatMap(({ off }) => off), warm: all.flatMap(({ warm }) => warm) };
}

/** What PML promises. */
function assertHalved({ off, warm }: Times): void {
  const ratio = median(warm) / median(off);
  if (ratio < 0.5) return;
  throw new Error(
    `the first call waits ${ratio.toFixed(2)} times as long as without, not less than half`,
  );
}

function rowsOf(name: string, { off, warm }: Times): readonly Row[] {
  const ratio = median(warm) / median(off);
  return [
    { name: `${name}, off`, value: median(off), unit: 'ms', n: off.length },
    { name: `${name}, warm`, value: median(warm), unit: 'ms', ratio, n: warm.length },
  ];
}
