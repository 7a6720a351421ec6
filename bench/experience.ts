/**
 * What 100,000 executions cost the store: adding in batches, loading at a start, and rebuilding the
 * graph while other work reads and adds. Runs on the embedded database and on PostgreSQL, there
 * with two gateways at once. Fails if the graph does not match the executions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { type ExecutionTrace, type GraphDelta, silentLogger } from '../src/core/index.js';
import { graphOf } from '../src/graph/index.js';
import { createEmbeddedStore, createPostgresStore, type Store } from '../src/store/index.js';
import { startPostgres } from '../test/helpers/postgres-server.js';
import type { BenchOptions } from './data/options.js';
import { syntheticTraces } from './data/synthetic-traces.js';
import { createReport, median, quantile, type Report, type Row } from './report.js';

const EXECUTIONS = 100_000;
const BATCH = 100;
/** Added one by one, after all others. */
const LAST = 100;
/** Added during the rebuild of the graph. */
const MEANWHILE = 100;
/** As many as the daemon remembers after a start. */
const REMEMBERED = 20_000;
const PROBE_MS = 20;

export async function run({ positionals }: BenchOptions): Promise<Report> {
  const count = Number(positionals[1] ?? EXECUTIONS);
  const traces = syntheticTraces(count + LAST + MEANWHILE);
  const rows: Row[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'pml-bench-experience-'));
  try {
    await using store = await createEmbeddedStore({ dataDir, logger: silentLogger });
    rows.push(...(await measure('embedded', [store], traces)));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  const postgres = await startPostgres();
  if (typeof postgres === 'string') {
    process.stderr.write(`not on PostgreSQL: ${postgres}\n`);
  } else {
    await using server = postgres;
    await using one = await createPostgresStore({ url: server.url, logger: silentLogger });
    await using other = await createPostgresStore({ url: server.url, logger: silentLogger });
    rows.push(...(await measure('PostgreSQL', [one, other], traces)));
  }
  return createReport('experience', rows);
}

/** The stores are gateways that share one database. */
async function measure(
  engine: string,
  stores: readonly Store[],
  traces: readonly ExecutionTrace[],
): Promise<readonly Row[]> {
  const store = stores[0]!;
  const count = traces.length - LAST - MEANWHILE;
  const say = (text: string) => void process.stderr.write(`${engine}: ${text}\n`);
  const row = (what: string, value: number, unit: string, more: Partial<Row> = {}): Row => {
    return { name: `${engine}, ${count} executions: ${what}`, value, unit, ...more };
  };
  using memory = watchMemory();

  const batches = await addAll(stores, traces.slice(0, count));
  say(`${count} executions added`);
  const singles: number[] = [];
  for (const trace of traces.slice(count, count + LAST)) {
    singles.push(await timeOf(() => store.experience.add([trace], graphOf)));
  }
  const grown = await store.graph.load();
  assertSame(engine, grown, graphOf(traces.slice(0, count + LAST)));
  const added = memory.peak();

  const loading = await timeOf(() => store.experience.load({ limit: REMEMBERED }));
  const loadingGraph = await timeOf(() => store.graph.load());
  const quiet = await askBeside(store, () => sleep(2_000));
  // Snapshot now, so that none starts by itself during another measurement.
  const copied = await askBeside(store, () => store.snapshot());
  say('loaded; rebuilding the graph');
  const rest = traces.slice(count + LAST);
  const adding: number[] = [];
  const rebuilt = await askBeside(store, async () => {
    const made = store.graph.rebuild(graphOf);
    for (const trace of rest) {
      adding.push(await timeOf(() => stores.at(-1)!.experience.add([trace], graphOf)));
    }
    const { executions, differing } = await made;
    if (differing > 0) throw new Error(`${engine}: ${differing} nodes and edges were wrong`);
    say(`rebuilt from ${executions} executions`);
  });
  assertSame(engine, await store.graph.load(), graphOf(traces));
  const { differing, executions } = await store.graph.rebuild(graphOf);
  if (differing > 0 || executions !== traces.length) {
    throw new Error(`${engine}: ${executions} executions, ${differing} nodes and edges wrong`);
  }
  const { sizeBytes } = await store.info();
  const batchMs = batches.map(({ ms }) => ms);
  return [
    row(`add all in batches of ${BATCH}`, sum(batchMs) / 1_000 / stores.length, 's'),
    row(`add ${BATCH}, among the first 10,000, median`, median(batchMs.slice(0, 100)), 'ms'),
    row(`add ${BATCH}, among the last 10,000, median`, median(batchMs.slice(-100)), 'ms'),
    row(`add ${BATCH}, P95`, quantile(batchMs, 0.95), 'ms', { n: batchMs.length }),
    row('add one more, median', median(singles), 'ms', { n: singles.length }),
    row('add one more, P95', quantile(singles, 0.95), 'ms', { n: singles.length }),
    row(`load the newest ${REMEMBERED}`, loading / 1_000, 's'),
    row(
      `load the graph, ${grown.nodes.length} nodes and ${grown.edges.length} edges`,
      loadingGraph,
      'ms',
    ),
    ...(stores.length > 1
      ? []
      : [row('write a snapshot, for which others wait', copied.ms / 1_000, 's')]),
    row('rebuild the graph', rebuilt.ms / 1_000, 's'),
    row('a question beside nothing, median', median(quiet.waits), 'ms', { n: quiet.waits.length }),
    row('a question meanwhile, median', median(rebuilt.waits), 'ms', { n: rebuilt.waits.length }),
    row('a question meanwhile, P95', quantile(rebuilt.waits, 0.95), 'ms'),
    row('a question meanwhile, longest', Math.max(...rebuilt.waits), 'ms'),
    row('add one meanwhile, median', median(adding), 'ms', { n: adding.length }),
    row('add one meanwhile, longest', Math.max(...adding), 'ms'),
    row('resident memory before', memory.before, 'MB'),
    row('resident memory, most while adding', added, 'MB'),
    row('resident memory, most while loading and rebuilding', memory.peak(), 'MB'),
    ...(sizeBytes === undefined ? [] : [row('size of the database', sizeBytes / 1e6, 'MB')]),
  ];
}

/** All gateways add their shares concurrently. Returns the times in order of completion. */
async function addAll(
  stores: readonly Store[],
  traces: readonly ExecutionTrace[],
): Promise<readonly { readonly ms: number }[]> {
  const done: { readonly ms: number }[] = [];
  await Promise.all(
    stores.map(async ({ experience }, gateway) => {
      const step = BATCH * stores.length;
      for (let start = gateway * BATCH; start < traces.length; start += step) {
        const batch = traces.slice(start, start + BATCH);
        done.push({ ms: await timeOf(() => experience.add(batch, graphOf)) });
      }
    }),
  );
  return done;
}

/** How long a small query to the store waits while other work runs. */
async function askBeside(
  { ranking }: Store,
  work: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly waits: readonly number[] }> {
  const waits: number[] = [];
  const begin = performance.now();
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  while (!isDone) {
    waits.push(await timeOf(() => ranking.traces({ limit: 1 })));
    await sleep(PROBE_MS);
  }
  await working;
  return { ms: performance.now() - begin, waits };
}

function assertSame(engine: string, stored: GraphDelta, told: GraphDelta): void {
  const [one, other] = [linesOf(stored), linesOf(told)];
  const differing = one.filter((line, place) => line !== other[place]).length;
  if (differing > 0 || one.length !== other.length) {
    throw new Error(
      `${engine}: the graph is not what the executions tell, ` +
        `${one.length} nodes and edges against ${other.length}, ${differing} of them others`,
    );
  }
}

function linesOf({ nodes, edges }: GraphDelta): readonly string[] {
  return [
    ...nodes.map(({ id, calls, failures, repeats, runs, totalMs, lastAt }) =>
      JSON.stringify([id, calls, failures, repeats, runs, totalMs, lastAt]),
    ),
    ...edges.map(({ from, to, type, observed, failed, lastAt }) =>
      JSON.stringify([from, to, type, observed, failed, lastAt]),
    ),
  ].toSorted();
}

/** Peak resident memory since the last call, in MB. */
function watchMemory(): Disposable & { readonly before: number; readonly peak: () => number } {
  const resident = () => process.memoryUsage.rss() / 1e6;
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, resident())), 50);
  return {
    before: resident(),
    peak() {
      const seen = Math.max(most, resident());
      most = 0;
      return seen;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
