/**
 * What grows how: small real servers, tools, clients and calls in larger and larger numbers, with
 * memory, time of a call, files and starts of each. `--configs SERVERSxTOOLSxCLIENTSxCALLS,…`, where
 * tools are those of all servers together; by default three sizes, which take a long time.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { BenchOptions } from './data/options.js';
import { PmlFolder } from './data/pml-folder.js';
import { residentMegabytes } from './data/resident-megabytes.js';
import type { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const SERVER = fileURLToPath(new URL('data/sized-server.mjs', import.meta.url));
const DEFAULT_SIZES = '10x100x1x10000,50x2000x10x50000,200x20000x50x200000';
/** Calls that one client has pending. */
const AT_ONCE = 4;
const TIMED_CALLS = 300;
const REST_MS = 35_000;
const LOOK_MS = 200;
const MEGABYTE = 1_048_576;

interface Size {
  readonly servers: number;
  readonly tools: number;
  readonly clients: number;
  readonly calls: number;
}

export async function run({ values }: BenchOptions): Promise<Report> {
  const rows: Row[] = [];
  for (const size of readSizes(values['configs'] ?? DEFAULT_SIZES)) {
    rows.push(...(await measure(size)));
  }
  return createReport('scale', rows);
}

function readSizes(text: string): readonly Size[] {
  return text.split(',').map((one) => {
    const [servers = 0, tools = 0, clients = 0, calls = 0] = one.split('x').map(Number);
    if (![servers, tools, clients, calls].every((value) => value > 0)) {
      throw new Error(`--configs wants SERVERSxTOOLSxCLIENTSxCALLS, got ${one}`);
    }
    return { servers, tools, clients, calls };
  });
}

async function measure(size: Size): Promise<readonly Row[]> {
  const { servers, tools, clients, calls } = size;
  const head = `${servers} servers, ${tools} tools, ${clients} clients, ${calls} calls: `;
  const rows: Row[] = [];
  const tell = (name: string, value: number, unit: string, n?: number) =>
    rows.push({ name: `${head}${name}`, value, unit, ...(n && { n }) });
  using pml = new PmlFolder();
  pml.configure({ mcpServers: manyServers(size) });

  const began = performance.now();
  const first = await pml.connect();
  await discover(first);
  tell('new data directory, first search', performance.now() - began, 'ms');
  await untilAllListed(pml);
  tell('new data directory, all servers listed', performance.now() - began, 'ms');
  await first[Symbol.asyncDispose]();
  pml.stop();

  const again = performance.now();
  const lone = await pml.connect();
  await discover(lone);
  tell('second start, first search', performance.now() - again, 'ms');
  const all = [lone];
  while (all.length < clients) all.push(await pml.connect());
  try {
    await load(all, size);
    tell('memory of daemon after the calls', residentMegabytes(pml.status().pid), 'MB');
    const relays = all.map((client) => residentMegabytes(client.child.pid ?? 0));
    tell('memory of one relay', median(relays), 'MB', relays.length);
    const times = await timeCalls(lone, size);
    tell('one call', median(times), 'ms', times.length);
    tell('one call, 95th percentile', percentile(times, 0.95), 'ms', times.length);
    const searches = await timeSearches(lone);
    tell('one search', median(searches), 'ms', searches.length);
    await delay(REST_MS);
    tell('memory of daemon at rest', residentMegabytes(pml.status().pid), 'MB');
    for (const folder of ['store', 'journal', 'catalog']) {
      tell(`files, ${folder}`, bytesIn(join(pml.dataDir, folder)) / MEGABYTE, 'MB');
    }
  } finally {
    for (const client of all) await client[Symbol.asyncDispose]();
  }
  return rows;
}

function manyServers({ servers, tools }: Size): object {
  const each = Math.max(1, Math.round(tools / servers));
  return Object.fromEntries(
    Array.from({ length: servers }, (_, at) => [
      nameOf(at),
      { command: process.execPath, args: [SERVER, nameOf(at), String(each)] },
    ]),
  );
}

const nameOf = (at: number) => `server${at}`;

/** Every client has some calls pending until all were made. */
async function load(all: readonly LineClient[], size: Size): Promise<void> {
  let left = size.calls;
  const work = async (client: LineClient) => {
    while (left-- > 0) await callOne(client, left % size.servers);
  };
  await Promise.all(all.flatMap((client) => Array.from({ length: AT_ONCE }, () => work(client))));
}

async function callOne(client: LineClient, at: number): Promise<void> {
  const task = { tool: `${nameOf(at)}:echo`, args: { message: 'hello' } };
  const answer = await client.request('tools/call', {
    name: 'pml_execute_workflow',
    arguments: { tasks: [task] },
  });
  if (!JSON.stringify(answer).includes('hello')) throw new Error(JSON.stringify(answer));
}

async function timeCalls(client: LineClient, { servers }: Size): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < TIMED_CALLS; call++) {
    const began = performance.now();
    await callOne(client, call % Math.min(servers, 10));
    times.push(performance.now() - began);
  }
  return times;
}

async function timeSearches(client: LineClient): Promise<number[]> {
  const times: number[] = [];
  for (let search = 0; search < 20; search++) {
    const began = performance.now();
    await discover(client);
    times.push(performance.now() - began);
  }
  return times;
}

async function discover(client: LineClient): Promise<void> {
  const intent = 'merge the report and export the invoice';
  await client.request('tools/call', { name: 'pml_discover', arguments: { intent } });
}

async function untilAllListed(pml: PmlFolder): Promise<void> {
  while (!pml.status().servers.every(({ listed }) => listed)) await delay(LOOK_MS);
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? NaN;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
