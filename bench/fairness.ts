/**
 * Whether one client's work keeps another waiting: long results, wide schemas, many tools, much to
 * remember, and a script with 1,000 calls at once, while another client pings. Each row tells how long
 * the loop of the daemon was held at the 99.9th percentile, and the longest ping. `--tasks PATTERN`
 * measures only the rows whose names match.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { DaemonStatus } from '../src/control/index.js';
import { askDaemon } from '../src/daemon/index.js';
import type { LoopPauses } from '../src/process/index.js';
import { type ImportedRow, importedRows } from './data/imported-rows.js';
import type { BenchOptions } from './data/options.js';
import { PmlFolder } from './data/pml-folder.js';
import type { LineClient } from './line-client.js';
import { createReport, type Report, type Row } from './report.js';

const SERVER = fileURLToPath(new URL('data/sized-server.mjs', import.meta.url));
const MOST_PAUSE_MS = 50;
const MOST_PING_MS = 100;
const PING_EVERY_MS = 5;
const TOOLS = 5_000;
const PROPERTIES = 20_000;
const EXECUTIONS = 5_000;
const AT_ONCE = 1_000;
const QUIET_MS = 3_000;
const LOOK_MS = 100;

const sized = (name: string, ...sizes: number[]) => ({
  command: process.execPath,
  args: [SERVER, name, ...sizes.map(String)],
});

type Work = (client: LineClient) => Promise<unknown>;

export async function run({ values }: BenchOptions): Promise<Report> {
  using pml = new PmlFolder();
  const small = { one: sized('one', 20) };
  const configure = (mcpServers: object) =>
    pml.configure({ code: { calls: 10_000 }, limits: { messageBytes: 64_000_000 }, mcpServers });
  configure(small);
  await using client = await pml.connect();
  await using other = await pml.connect();
  await call(client, 'pml_discover', { intent: 'search tickets' });
  const bench = new Bench(pml, client, other, values['tasks']);
  await bench.measure('nothing to do', () => delay(QUIET_MS));
  for (const megabytes of [10, 20]) {
    await bench.measure(`result of ${megabytes} MB, as a task`, () =>
      call(client, 'pml_execute_workflow', { tasks: [{ tool: 'one:big', args: { megabytes } }] }),
    );
    await bench.measure(`result of ${megabytes} MB, in a script`, () =>
      script(client, `return (await mcp.one.big({ megabytes: ${megabytes} })).length;`),
    );
  }
  await bench.measure(`script with ${AT_ONCE} calls at once`, () =>
    script(client, manyCalls('echo')),
  );
  await bench.measure(`script with ${AT_ONCE} calls at once that may write`, () =>
    script(client, manyCalls('write')),
  );
  await bench.measure(`a schema with ${PROPERTIES} properties`, async () => {
    configure({ ...small, wide: sized('wide', 1, PROPERTIES) });
    await untilListed(pml, 'wide');
    await call(client, 'pml_discover', { name: 'wide:fill_form', detail: 'schema' });
  });
  await bench.measure(`first list of ${TOOLS} tools`, async () => {
    configure({ ...small, many: sized('many', TOOLS) });
    await untilListed(pml, 'many');
    await call(client, 'pml_discover', { intent: 'merge the report' });
  });
  const rows = importedRows(EXECUTIONS, 'many', TOOLS);
  await bench.measure(`${EXECUTIONS} executions to learn from`, () => remember(pml, rows));
  await bench.measure('a plan, next steps and clusters', () =>
    call(client, 'pml_execute_workflow', { intent: rows[0]!.intent, mode: 'dry_run' }),
  );
  for (const method of ['graph-stats', 'graph-view', 'graph-rebuild']) {
    const params = method === 'graph-rebuild' ? { force: true } : {};
    await bench.measure(method, () => askDaemon(pml.dataDir, method, params));
  }
  await bench.measure(
    'memory loaded after a restart',
    async () => {
      await restart(pml);
      await askDaemon(pml.dataDir, 'memory', { pauses: true });
      await call(client, 'pml_discover', { intent: rows[0]!.intent });
    },
    { hasRestart: true },
  );
  return createReport('fairness', bench.rows);
}

/** Does work, all or what `--tasks PATTERN` names, while another client pings, and keeps what that client and the loop felt. */
class Bench {
  readonly rows: Row[] = [];
  readonly #pml: PmlFolder;
  readonly #client: LineClient;
  readonly #other: LineClient;
  readonly #only: RegExp | undefined;

  constructor(pml: PmlFolder, client: LineClient, other: LineClient, only: string | undefined) {
    this.#pml = pml;
    this.#client = client;
    this.#other = other;
    this.#only = only === undefined ? undefined : new RegExp(only);
  }

  /** A client waits for a restart, so that its pings tell nothing of the loop. */
  async measure(name: string, work: Work, { hasRestart = false } = {}): Promise<void> {
    if (this.#only?.test(name) === false) return;
    await this.#pauses();
    const stop = new AbortController();
    const pings = ping(this.#other, stop.signal);
    await work(this.#client);
    // What is done behind the answer belongs to the work.
    await delay(QUIET_MS);
    stop.abort();
    const longestPing = Math.max(...(await pings));
    const { p999Ms, longestMs, looks } = await this.#pauses();
    const isBad = p999Ms > MOST_PAUSE_MS || (!hasRestart && longestPing > MOST_PING_MS);
    if (isBad) process.exitCode = 1;
    const told = `longest ${longestMs.toFixed(0)}, ping ${longestPing.toFixed(0)}`;
    process.stderr.write(`${name}: ${p999Ms.toFixed(0)} ms, ${told}\n`);
    this.rows.push({ name: `${name} (${told} ms)`, value: p999Ms, unit: 'ms', n: looks });
  }

  async #pauses() {
    const answer = await askDaemon(this.#pml.dataDir, 'memory', { pauses: true });
    return answer?.['pauses'] as unknown as LoopPauses;
  }
}

async function ping(client: LineClient, signal: AbortSignal): Promise<readonly number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    await client.request('ping');
    times.push(performance.now() - began);
    await delay(PING_EVERY_MS);
  }
  return times;
}

function manyCalls(tool: string): string {
  return `const all = await Promise.all(Array.from({ length: ${AT_ONCE} }, (_, i) =>
    mcp.one.${tool}({ message: 'call ' + i }))); return all.length;`;
}

function script(client: LineClient, code: string): Promise<object> {
  return call(client, 'pml_execute_code', { code, answer_within_ms: 120_000 });
}

async function call(client: LineClient, name: string, args: object): Promise<object> {
  const answer = await client.request('tools/call', { name, arguments: args });
  if (answer['isError']) throw new Error(`${name} failed: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

async function untilListed(pml: PmlFolder, server: string): Promise<void> {
  for (;;) {
    // Not by a command, which this process would wait for: it also pings.
    const status = await statusOf(pml);
    if (status?.servers.some(({ name, listed }) => name === server && listed)) return;
    await delay(LOOK_MS);
  }
}

async function restart(pml: PmlFolder): Promise<void> {
  const before = await statusOf(pml);
  await askDaemon(pml.dataDir, 'stop');
  // The pings of the other client start the next one.
  while ([undefined, before?.pid].includes((await statusOf(pml))?.pid)) await delay(LOOK_MS);
}

async function statusOf(pml: PmlFolder): Promise<DaemonStatus | undefined> {
  return (await askDaemon(pml.dataDir, 'status')) as DaemonStatus | undefined;
}

async function remember(pml: PmlFolder, rows: readonly ImportedRow[]): Promise<void> {
  await askDaemon(pml.dataDir, 'import', { rows: rows as never, mode: 'import' });
  await askDaemon(pml.dataDir, 'learn', {});
}
