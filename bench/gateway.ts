/**
 * What PML costs against a direct connection to the same server: start, latency, throughput, memory
 * and menu. Both sides start fresh, and measurements alternate (A B B A), so that ratios hold on a
 * machine that does other things as well.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const STARTS = 5;
const WARM_UP_CALLS = 200;
const CALLS = 600;
const ROUNDS = 6;
const CALLS_PER_ROUND = 1_500;
const CONCURRENCY = 32;

const server = (name: string, ...args: string[]) => [
  process.execPath,
  join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`),
  ...args,
];
const DIRECT = server('everything', 'stdio');

type Mode = 'proxy' | 'meta';

/** One echo, as each side is asked for it. */
const ECHO = { message: 'hello' };
const CALL = {
  direct: { name: 'echo', arguments: ECHO },
  proxy: { name: 'everything__echo', arguments: ECHO },
  meta: {
    name: 'pml_execute_workflow',
    arguments: { tasks: [{ tool: 'everything:echo', args: ECHO }] },
  },
} as const;

/** PML with three servers behind it and a data directory of its own. */
class Pml implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  readonly #config = join(this.#folder, 'pml.json');

  constructor(mode: Mode) {
    const files = join(this.#folder, 'files');
    mkdirSync(files);
    const entry = ([command, ...args]: readonly string[]) => ({ command, args });
    const mcpServers = {
      everything: entry(DIRECT),
      files: entry(server('filesystem', files)),
      thinking: entry(server('sequential-thinking')),
    };
    writeFileSync(this.#config, JSON.stringify({ exposure: mode, dataDir: './data', mcpServers }));
  }

  connect(): LineClient {
    return new LineClient([process.execPath, CLI, 'serve', '--config', this.#config]);
  }

  run(...args: string[]): string {
    const all = [CLI, ...args, '--config', this.#config];
    return execFileSync(process.execPath, all, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  daemonPid(): number {
    return (JSON.parse(this.run('status', '--json')) as { pid: number }).pid;
  }

  [Symbol.dispose](): void {
    this.run('stop');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function run(): Promise<Report> {
  const rows: Row[] = [];
  for (const mode of ['proxy', 'meta'] as const) {
    using pml = new Pml(mode);
    rows.push(...(await measureStarts(pml, mode)));
    rows.push(...(await measureCalls(pml, mode)));
  }
  return createReport('gateway', rows);
}

/** From starting the process to the first tool list. The first start of all is not counted. */
async function measureStarts(pml: Pml, mode: Mode): Promise<readonly Row[]> {
  const direct: number[] = [];
  const cold: number[] = [];
  const warm: number[] = [];
  await timeStart(() => pml.connect());
  for (let round = 0; round < STARTS; round++) {
    direct.push(await timeStart(() => new LineClient(DIRECT)));
    pml.run('stop');
    cold.push(await timeStart(() => pml.connect()));
    warm.push(await timeStart(() => pml.connect()));
  }
  const base = median(direct);
  const row = (name: string, times: readonly number[]): Row => ({
    name: `${mode}: start to tools/list, ${name}`,
    value: median(times),
    unit: 'ms',
    ratio: median(times) / base,
    n: STARTS,
  });
  return [row('direct', direct), row('cold daemon', cold), row('warm daemon', warm)];
}

async function timeStart(open: () => LineClient): Promise<number> {
  const began = performance.now();
  await using client = open();
  await client.initialize();
  await client.request('tools/list');
  return performance.now() - began;
}

async function measureCalls(pml: Pml, mode: Mode): Promise<readonly Row[]> {
  await using direct = new LineClient(DIRECT);
  await using gateway = pml.connect();
  await direct.initialize();
  const { instructions } = await gateway.initialize();
  const { tools } = await gateway.request('tools/list');
  const calls = {
    direct: () => direct.request('tools/call', CALL.direct),
    gateway: () => gateway.request('tools/call', CALL[mode]),
  };
  await calls.gateway().then((answer) => assertEcho(answer));
  const idle = memoryOf(pml, gateway);
  for (let i = 0; i < WARM_UP_CALLS; i++) await Promise.all([calls.direct(), calls.gateway()]);

  const latency = await alternate(CALLS, calls, timeCall);
  await alternate(1, calls, timeRound); // Not counted: the first round compiles.
  const rate = await alternate(ROUNDS, calls, timeRound);
  const added = median(latency.gateway) - median(latency.direct);
  const tokens = countTokens(JSON.stringify(tools)) + countTokens(String(instructions as string));
  const end = memoryOf(pml, gateway);
  return [
    { name: `${mode}: call, direct`, value: median(latency.direct), unit: 'ms', n: CALLS },
    {
      name: `${mode}: call, PML (added ${added.toFixed(3)} ms)`,
      value: median(latency.gateway),
      unit: 'ms',
      ratio: median(latency.gateway) / median(latency.direct),
      n: CALLS,
    },
    {
      name: `${mode}: ${CONCURRENCY} at once, direct`,
      value: median(rate.direct),
      unit: '/s',
      n: ROUNDS,
    },
    {
      name: `${mode}: ${CONCURRENCY} at once, PML`,
      value: median(rate.gateway),
      unit: '/s',
      ratio: median(rate.gateway) / median(rate.direct),
      n: ROUNDS,
    },
    {
      name: `${mode}: memory of daemon, idle / after`,
      value: idle.daemon,
      unit: `/ ${end.daemon.toFixed(0)} MB`,
    },
    {
      name: `${mode}: memory of relay, idle / after`,
      value: idle.relay,
      unit: `/ ${end.relay.toFixed(0)} MB`,
    },
    { name: `${mode}: menu (whole definitions)`, value: tokens, unit: 'tokens' },
  ];
}

interface Calls {
  readonly direct: () => Promise<object>;
  readonly gateway: () => Promise<object>;
}

/** A B B A …, so that neither side always goes first. */
async function alternate(
  rounds: number,
  calls: Calls,
  measure: (call: () => Promise<object>) => Promise<number>,
): Promise<{ direct: number[]; gateway: number[] }> {
  const times: { direct: number[]; gateway: number[] } = { direct: [], gateway: [] };
  for (let round = 0; round < rounds; round++) {
    const order =
      round % 2 === 0 ? (['direct', 'gateway'] as const) : (['gateway', 'direct'] as const);
    for (const side of order) times[side].push(await measure(calls[side]));
  }
  return times;
}

async function timeCall(call: () => Promise<object>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

/** Calls a second, with so many under way at any time. */
async function timeRound(call: () => Promise<object>): Promise<number> {
  let left = CALLS_PER_ROUND;
  const began = performance.now();
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return CALLS_PER_ROUND / ((performance.now() - began) / 1_000);
}

function assertEcho(answer: object): void {
  if (!JSON.stringify(answer).includes('Echo: hello')) {
    throw new Error(`unexpected answer: ${JSON.stringify(answer)}`);
  }
}

function memoryOf(pml: Pml, relay: LineClient): { daemon: number; relay: number } {
  return {
    daemon: residentMegabytes(pml.daemonPid()),
    relay: residentMegabytes(relay.child.pid ?? 0),
  };
}

/** Linux only; elsewhere the rows say NaN. */
function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  } catch {
    return NaN; // No /proc here.
  }
}
