/**
 * Recorded runs through a real daemon, with servers of a given latency and agents that think between
 * their turns, with speculation off, warm and on. Times are scaled down from what was recorded: 10.6 s
 * of thought a turn and 1.5 s a call become 106 and 15 ms; a server takes as long to start as it does.
 * The oracle is worked out from the run with speculation off: nothing is waited for that only reads.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { BenchOptions } from './data/options.js';
import { PmlFolder } from './data/pml-folder.js';
import {
  dailyRuns,
  type RecordedCall,
  type RecordedRun,
  recordedRuns,
} from './data/recorded-runs.js';
import { createReport, median, quantile, type Report, type Row } from './report.js';

const SERVER = fileURLToPath(new URL('data/replay-server.mjs', import.meta.url));
const THINK_MS = 106;
const LATENCY_MS = 15;
const DAILY_RUNS = 20;
const RECORDED_RUNS = 10;
const LIMITS = { callsPerMinute: 1e6, msPerMinute: 1e9, bytesPerMinute: 1e9 };

interface Played {
  /** Milliseconds of each run, and of each turn's wait for its tools. */
  readonly tasks: readonly number[];
  readonly waits: readonly number[];
  /** Of turns that only read. */
  readonly readingMs: readonly number[];
  readonly extraCalls: number;
  readonly served: number;
}

export async function run({ values }: BenchOptions): Promise<Report> {
  const most = Number(values['repeats'] ?? RECORDED_RUNS);
  const rows = [...(await compare('daily', dailyRuns(DAILY_RUNS)))];
  const recorded = recordedRuns(most);
  if (recorded) rows.push(...(await compare('toolathlon', recorded)));
  else process.stderr.write('recorded runs are not on this machine: skipped\n');
  return createReport('replay', rows);
}

async function compare(set: string, runs: readonly RecordedRun[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let base = NaN;
  for (const mode of ['off', 'warm', 'on'] as const) {
    const played = await play(runs, mode);
    if (mode === 'off') {
      base = median(played.tasks);
      const oracle = played.tasks.map((ms, at) => ms - (played.readingMs[at] ?? 0));
      rows.push(taskRow(`${set}: oracle`, oracle, base));
    }
    rows.push(taskRow(`${set}: ${mode}`, played.tasks, base));
    const count = (name: string, value: number, unit: string): Row => ({
      name: `${set}: ${mode}, ${name}`,
      value,
      unit,
      n: played.waits.length,
    });
    rows.push(
      count('wait of a turn, median', median(played.waits), 'ms'),
      count('wait of a turn, p95', quantile(played.waits, 0.95), 'ms'),
      count('calls made ahead and not used', played.extraCalls, 'calls'),
      count('calls served ahead', played.served, 'calls'),
    );
  }
  return rows;
}

function taskRow(name: string, times: readonly number[], base: number): Row {
  const value = median(times);
  return { name: `${name}, task time`, value, unit: 'ms', ratio: value / base, n: times.length };
}

async function play(runs: readonly RecordedRun[], mode: 'off' | 'warm' | 'on'): Promise<Played> {
  using folder = new PmlFolder();
  folder.configure({
    speculation: { mode, ...LIMITS },
    mcpServers: writeServers(folder.path, runs.flat(2)),
  });
  const [tasks, waits, readingMs]: number[][] = [[], [], []];
  // Keeps the daemon, and what it learned, between the runs.
  await using keeper = await folder.connect();
  await keeper.request('tools/list');
  for (const turns of runs) {
    await using client = await folder.connect();
    let [waited, reading] = [0, 0];
    for (const turn of turns) {
      await delay(THINK_MS);
      const asked = performance.now();
      await Promise.all(
        turn.map(({ server, tool, args }) =>
          client.request('tools/call', { name: `${server}__${tool}`, arguments: args }),
        ),
      );
      const ms = performance.now() - asked;
      waits?.push(ms);
      waited += ms;
      if (turn.every(({ isReading }) => isReading)) reading += ms;
    }
    // Thinking counts as it is meant to last: how late a busy machine wakes up says nothing.
    tasks?.push(waited + turns.length * THINK_MS);
    readingMs?.push(reading);
  }
  const { sent = 0, served = 0 } = folder.status().speculation?.ahead ?? {};
  return {
    tasks: tasks ?? [],
    waits: waits ?? [],
    readingMs: readingMs ?? [],
    extraCalls: sent - served,
    served,
  };
}

/** Writes what every server gives, and says how each is started. */
function writeServers(folder: string, calls: readonly RecordedCall[]): Record<string, object> {
  type Tool = { isReading: boolean; results: Record<string, string> };
  const servers: Record<string, Record<string, Tool>> = {};
  for (const { server, tool, args, isReading, result } of calls) {
    const tools = (servers[server] ??= {});
    const known = (tools[tool] ??= { isReading, results: {} });
    known.results[JSON.stringify(args)] ??= result;
  }
  const file = join(folder, 'replay.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ latencyMs: LATENCY_MS, servers }));
  return Object.fromEntries(
    Object.keys(servers).map((name) => [
      name,
      { command: process.execPath, args: [SERVER, file, name], start: 'lazy' },
    ]),
  );
}
