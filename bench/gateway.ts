/**
 * What PML costs against a direct connection to the same server: start, latency, throughput, memory
 * and menu. Both sides start fresh, and measurements alternate (A B B A), so that ratios hold on a
 * machine that does other things as well.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { residentMegabytes } from './data/resident-megabytes.js';
import { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const STARTS = 5;
const FRESH_STARTS = 3;
/** A daemon gives memory back when it has had nothing to do for a while. */
const REST_MS = 35_000;
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

const SIZED = join(ROOT, 'bench/data/sized-server.mjs');

type Mode = 'proxy' | 'meta';

/** One echo, as each side is asked for it: of a tool that says that it only reads, and of one that does not. */
const ECHO = { message: 'hello' };
const metaCall = (tool: string) => ({
  name: 'pml_execute_workflow',
  arguments: { tasks: [{ tool, args: ECHO }] },
});
const CALL = {
  direct: { name: 'echo', arguments: ECHO },
  proxy: { name: 'everything__echo', arguments: ECHO },
  meta: metaCall('everything:echo'),
  'proxy reads': { name: 'sized__echo', arguments: ECHO },
  'proxy writes': { name: 'sized__write', arguments: ECHO },
  'meta reads': metaCall('sized:echo'),
  'meta writes': metaCall('sized:write'),
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
      sized: entry([process.execPath, SIZED, 'sized', '1']),
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
  rows.push(...(await compareModes()));
  rows.push(...(await measureFresh()));
  return createReport('gateway', rows);
}

/** Meta against proxy in alternating measurements, each with a daemon of its own. */
async function compareModes(): Promise<readonly Row[]> {
  using proxied = new Pml('proxy');
  using planned = new Pml('meta');
  await using proxy = proxied.connect();
  await using meta = planned.connect();
  for (const one of [proxy, meta]) await one.initialize();
  const rows: Row[] = [];
  for (const kind of ['reads', 'writes'] as const) {
    const sides = {
      direct: () => proxy.request('tools/call', CALL[`proxy ${kind}`]),
      gateway: () => meta.request('tools/call', CALL[`meta ${kind}`]),
    };
    for (let i = 0; i < WARM_UP_CALLS; i++) await Promise.all([sides.direct(), sides.gateway()]);
    const latency = await alternate(CALLS, sides, timeCall);
    await alternate(1, sides, timeRound);
    const rate = await alternate(ROUNDS, sides, timeRound);
    const tool =
      kind === 'reads' ? 'a tool that says it only reads' : 'a tool that does not say so';
    rows.push(
      {
        name: `meta against proxy: call of ${tool}`,
        value: median(latency.gateway),
        unit: 'ms',
        ratio: median(latency.gateway) / median(latency.direct),
        n: CALLS,
      },
      {
        name: `meta against proxy: ${CONCURRENCY} at once, ${tool}`,
        value: median(rate.gateway),
        unit: '/s',
        ratio: median(rate.gateway) / median(rate.direct),
        n: ROUNDS,
      },
    );
  }
  return rows;
}

/** From starting the process to the first answer of a search on a data directory that is new. */
async function measureFresh(): Promise<readonly Row[]> {
  const times: number[] = [];
  for (let round = 0; round < FRESH_STARTS; round++) {
    using pml = new Pml('meta');
    const began = performance.now();
    await using client = pml.connect();
    await client.initialize();
    const intent = { intent: 'say the same again' };
    await client.request('tools/call', { name: 'pml_discover', arguments: intent });
    times.push(performance.now() - began);
  }
  const name = 'meta: start to first pml_discover, new data directory';
  return [{ name, value: median(times), unit: 'ms', n: FRESH_STARTS }];
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
  await delay(REST_MS);
  const rest = memoryOf(pml, gateway);
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
    ...memoryRows(mode, 'before load', idle),
    ...memoryRows(mode, 'after load', end),
    ...memoryRows(mode, 'at rest', rest),
    { name: `${mode}: memory of daemon and relay at rest`, value: wholeOf(rest), unit: 'MB' },
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

interface Memory {
  readonly daemon: number;
  readonly relay: number;
}

function memoryOf(pml: Pml, relay: LineClient): Memory {
  return {
    daemon: residentMegabytes(pml.daemonPid()),
    relay: residentMegabytes(relay.child.pid ?? 0),
  };
}

function wholeOf({ daemon, relay }: Memory): number {
  return daemon + relay;
}

function memoryRows(mode: Mode, when: string, { daemon, relay }: Memory): readonly Row[] {
  return [
    { name: `${mode}: memory of daemon, ${when}`, value: daemon, unit: 'MB' },
    { name: `${mode}: memory of relay, ${when}`, value: relay, unit: 'MB' },
  ];
}
