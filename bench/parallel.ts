/**
 * What one call of many at once costs the daemon: a script that makes 10, 100, 1,000 and 5,000 calls
 * at the same time to a real server. Processor time per call must not grow with their number.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { PmlFolder } from './data/pml-folder.js';
import type { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const COUNTS = [10, 100, 1_000, 5_000];
/** So many calls are made for each count, but at least one script. */
const CALLS = 2_000;
/** CPU of a process is counted in these. */
const TICK_MS = 10;
const MOST_GROWTH = 1.5;
const ROUNDS = 3;
const QUIET_MS = 1_000;
const EVERYTHING = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

export async function run(): Promise<Report> {
  using pml = new PmlFolder();
  pml.configure({
    code: { calls: 10_000 },
    mcpServers: { everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] } },
  });
  await using client = await pml.connect();
  await runScript(client, 10);
  const { pid } = pml.status();
  const rows: Row[] = [];
  for (const count of COUNTS) rows.push(await measure(client, pid, count));
  const [few] = rows;
  const withRatios = rows.map((row) => ({ ...row, ratio: row.value / (few?.value ?? 1) }));
  const worst = Math.max(...withRatios.slice(1).map(({ ratio }) => ratio));
  if (worst > MOST_GROWTH) process.exitCode = 1;
  return createReport('parallel', withRatios);
}

async function measure(client: LineClient, pid: number, count: number): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuMs(pid);
    const scripts = Math.max(1, Math.round(CALLS / count));
    for (let script = 0; script < scripts; script++) await runScript(client, count);
    // What is learned from the calls belongs to their cost.
    await delay(QUIET_MS);
    times.push((cpuMs(pid) - before) / (scripts * count));
  }
  const name = `daemon, processor time per call, ${count} at once`;
  return { name, value: median(times), unit: 'ms', n: times.length };
}

async function runScript(client: LineClient, count: number): Promise<void> {
  const code = `const all = await Promise.all(Array.from({ length: ${count} }, (_, i) =>
    mcp.everything.echo({ message: 'call ' + i })));
  return all.length;`;
  const answer = await client.request('tools/call', {
    name: 'pml_execute_code',
    arguments: { code, answer_within_ms: 600_000 },
  });
  const text = JSON.stringify(answer);
  if (!text.includes(`\\"result\\":${count}`)) throw new Error(`the script failed: ${text}`);
}

/** User and system time of all threads. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
