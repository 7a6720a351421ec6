/**
 * What open browsers cost: the memory of the daemon over 10,000 events with two of them, and the time
 * of a client's call with two of them against none. Rounds alternate (A B B A), and the rounds without
 * a browser compared with each other tell what this machine does by itself.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { askDaemon } from '../src/daemon/index.js';
import { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const SERVER = join(ROOT, 'test/fixtures/plain-server.mjs');

const BROWSERS = 2;
const EVENTS = 10_000;
const MOST_GROWTH_MB = 15;
const ROUNDS = 12;
const CALLS_PER_ROUND = 300;
const CONCURRENCY = 8;
/** As many executions as the daemon remembers: after them it holds no more. */
const WARM_UP = 20_000;
/** A daemon that rests gives back what it does not need within 20 seconds; the least of these looks counts. */
const LOOKS = 28;
const LOOK_MS = 1_000;

export async function run(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  const config = join(folder, 'pml.json');
  const dataDir = join(folder, 'data');
  const mcpServers = { plain: { command: process.execPath, args: [SERVER] } };
  writeFileSync(
    config,
    JSON.stringify({ exposure: 'proxy', embedding: 'none', dataDir: './data', mcpServers }),
  );
  const pml = (...args: string[]) =>
    execFileSync(process.execPath, [CLI, ...args, '--config', config], { encoding: 'utf8' });
  try {
    await using client = new LineClient([process.execPath, CLI, 'serve', '--config', config]);
    await client.initialize();
    await client.request('tools/list');
    const page = await signIn((JSON.parse(pml('ui', '--json')) as { url: string }).url);
    const rows = [
      ...(await measureLatency(client, page)),
      ...(await measureMemory(client, page, dataDir)),
    ];
    return createReport('dashboard', rows);
  } finally {
    pml('stop');
    rmSync(folder, { recursive: true, force: true });
  }
}

interface SignedIn {
  readonly origin: string;
  readonly cookie: string;
}

async function signIn(url: string): Promise<SignedIn> {
  const response = await fetch(url, { redirect: 'manual' });
  const [cookie = ''] = response.headers.getSetCookie();
  return { origin: new URL(url).origin, cookie: cookie.split(';')[0] ?? '' };
}

/** Reads the stream as a browser does, and counts its messages. */
class Reader implements AsyncDisposable {
  messages = 0;
  readonly #ended = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  static async open({ origin, cookie }: SignedIn): Promise<Reader> {
    const reader = new Reader();
    const headers = { cookie, 'x-pml-dashboard': '1' };
    const { signal } = reader.#ended;
    const response = await fetch(`${origin}/api/events`, { headers, signal });
    if (!response.ok || !response.body) throw new Error(`no stream: ${response.status}`);
    reader.#reading = reader.#read(response.body).catch(() => {}); // Ended by disposal.
    return reader;
  }

  async until(messages: number): Promise<void> {
    while (this.messages < messages) await delay(10);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#reading;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const LINE = 10;
    let last = 0;
    for await (const chunk of body) {
      for (const byte of chunk) {
        if (byte === LINE && last === LINE) this.messages++;
        last = byte;
      }
    }
  }
}

async function withBrowsers<T>(page: SignedIn, work: (readers: readonly Reader[]) => Promise<T>) {
  const readers = await Promise.all(Array.from({ length: BROWSERS }, () => Reader.open(page)));
  try {
    await Promise.all(readers.map((reader) => reader.until(1)));
    return await work(readers);
  } finally {
    await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
  }
}

const echo = (client: LineClient) =>
  client.request('tools/call', { name: 'plain__echo', arguments: { text: 'hello' } });

async function measureLatency(client: LineClient, page: SignedIn): Promise<readonly Row[]> {
  const round = async () => {
    const times: number[] = [];
    for (let i = 0; i < CALLS_PER_ROUND; i++) {
      const began = performance.now();
      await echo(client);
      times.push(performance.now() - began);
    }
    return median(times);
  };
  await round();
  const alone: number[] = [];
  const watched: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const isWatched = i % 4 === 1 || i % 4 === 2;
    if (isWatched) watched.push(await withBrowsers(page, round));
    else alone.push(await round());
  }
  const base = median(alone);
  const noise = Math.max(...alone) / Math.min(...alone);
  const n = CALLS_PER_ROUND * (ROUNDS / 2);
  return [
    { name: 'call without a browser', value: base, unit: 'ms', n },
    {
      name: `call with ${BROWSERS} browsers`,
      value: median(watched),
      unit: 'ms',
      ratio: median(watched) / base,
      n,
    },
    // On a busy machine the fastest rounds tell most: what else runs only ever adds.
    {
      name: 'the same in the fastest rounds',
      value: Math.min(...watched),
      unit: 'ms',
      ratio: Math.min(...watched) / Math.min(...alone),
    },
    { name: 'slowest against fastest round without one', value: noise, unit: '×' },
  ];
}

/** The ring of calls is full and everything is warm before anything counts. */
async function measureMemory(
  client: LineClient,
  page: SignedIn,
  dataDir: string,
): Promise<readonly Row[]> {
  await calls(client, WARM_UP);
  const before = await memoryOf(dataDir);
  await calls(client, EVENTS);
  const alone = await memoryOf(dataDir);
  const after = await withBrowsers(page, async (readers) => {
    await calls(client, EVENTS);
    await Promise.all(readers.map((reader) => reader.until(EVENTS / 2)));
    return memoryOf(dataDir);
  });
  const growth = after - alone;
  if (growth > MOST_GROWTH_MB) {
    throw new Error(
      `the daemon grew by ${growth.toFixed(1)} MB, at most ${MOST_GROWTH_MB} are fine`,
    );
  }
  return [
    { name: `growth over ${EVENTS} calls without a browser`, value: alone - before, unit: 'MB' },
    { name: `growth over ${EVENTS} calls with ${BROWSERS} browsers`, value: growth, unit: 'MB' },
    { name: 'memory with them open', value: after, unit: 'MB' },
  ];
}

async function calls(client: LineClient, count: number): Promise<void> {
  let left = count;
  const work = async () => {
    while (left-- > 0) await echo(client);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function memoryOf(dataDir: string): Promise<number> {
  const seen: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const { rssBytes } = (await askDaemon(dataDir, 'memory')) as { rssBytes: number };
    seen.push(rssBytes / 1_000_000);
    await delay(LOOK_MS);
  }
  return Math.min(...seen);
}
