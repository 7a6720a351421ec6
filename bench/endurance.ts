/**
 * Whether PML stays as large as it was: tens of thousands of calls through the meta-tools, with real
 * servers behind a real daemon, and what the daemon holds on the way and when it rests afterwards.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { askDaemon } from '../src/daemon/index.js';
import { createLoad } from './data/endurance-load.js';
import type { BenchOptions } from './data/options.js';
import { LineClient } from './line-client.js';
import { createReport, type Report, type Row } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const CALLS = 50_000;
/** Where the daemon is looked at; the first is what the end is compared with. */
const LOOKS = [3_000, 10_000, 25_000, 50_000];
const CONCURRENCY = 8;
/** Upkeep waits for a pause of the clients. */
const REST_MS = 90_000;
const MOST_GROWTH_MB = 60;
const MEGABYTE = 1_048_576;

interface Look {
  readonly name: string;
  readonly megabytes: Readonly<Record<string, number>>;
  readonly held: Readonly<Record<string, number>>;
}

export async function run({ positionals, values }: BenchOptions): Promise<Report> {
  const calls = Number(positionals[1] ?? CALLS);
  const restMs = Number(positionals[2] ?? REST_MS);
  const folder = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  const config = writeConfig(folder, values['sets']);
  const pml = (...args: string[]) =>
    execFileSync(process.execPath, [CLI, ...args, '--config', config], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  try {
    return createReport('endurance', rowsOf(await endure(folder, config, { calls, restMs })));
  } finally {
    pml('stop');
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeConfig(folder: string, embedding = 'gte-small'): string {
  const files = join(folder, 'files');
  mkdirSync(files);
  const server = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  });
  const path = join(folder, 'pml.json');
  const mcpServers = {
    everything: server('everything', 'stdio'),
    files: server('filesystem', files),
  };
  const workflows = { approve: 'never' };
  writeFileSync(path, JSON.stringify({ dataDir: './data', embedding, workflows, mcpServers }));
  return path;
}

async function endure(
  folder: string,
  config: string,
  { calls, restMs }: { readonly calls: number; readonly restMs: number },
): Promise<readonly Look[]> {
  const data = join(folder, 'data');
  const load = createLoad(join(folder, 'files'));
  await using client = new LineClient([process.execPath, CLI, 'serve', '--config', config]);
  await client.initialize();
  const looks: Look[] = [];
  let made = 0;
  for (const until of [...LOOKS.filter((at) => at < calls), calls]) {
    const began = performance.now();
    const from = made;
    const worker = async () => {
      while (made < until) assertAnswered(await client.request('tools/call', { ...load(made++) }));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    looks.push(await look(`after ${until} calls`, data));
    tell(looks.at(-1)!, (until - from) / ((performance.now() - began) / 1_000));
  }
  await delay(restMs);
  looks.push(await look(`idle for ${restMs / 1_000} s`, data));
  tell(looks.at(-1)!, 0);
  return looks;
}

/** What is not answered as it should be is not the load that was meant. */
function assertAnswered(answer: object): void {
  if ('isError' in answer && answer.isError) {
    throw new Error(`a call failed: ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

async function look(name: string, data: string): Promise<Look> {
  const memory = (await askDaemon(data, 'memory')) as unknown as Record<string, number> & {
    readonly store: Record<string, number>;
    readonly held: Record<string, number>;
  };
  const status = (await askDaemon(data, 'status')) as unknown as {
    readonly pid: number;
    readonly store: { readonly counts: Record<string, number> };
  };
  const megabytes = {
    resident: residentBytes(status.pid),
    heap: memory['heapBytes']!,
    'heap reserved': memory['heapReservedBytes']!,
    external: memory['externalBytes']!,
    'heap of the store': memory.store['heapBytes']!,
    database: memory.store['databaseBytes']!,
    'store on disk': folderBytes(join(data, 'store', 'pg')),
    'journal on disk': folderBytes(join(data, 'journal')),
  };
  return {
    name,
    megabytes: Object.fromEntries(
      Object.entries(megabytes).map(([what, bytes]) => [what, bytes / MEGABYTE]),
    ),
    held: { ...memory.held, ...status.store.counts },
  };
}

function tell({ name, megabytes, held }: Look, rate: number): void {
  const sizes = Object.entries(megabytes).map(([what, size]) => `${what} ${size.toFixed(0)}`);
  const counts = Object.entries(held).map(([what, count]) => `${what} ${count}`);
  process.stderr.write(
    `${name} (${rate.toFixed(0)}/s): ${sizes.join(', ')} MB; ${counts.join(', ')}\n`,
  );
}

/** Each look, and then the verdict: whether what it came to is what it was at the first look. */
function rowsOf(looks: readonly Look[]): readonly Row[] {
  const rows = looks.flatMap(({ name, megabytes }) =>
    Object.entries(megabytes).map(([what, value]) => ({
      name: `${name}: ${what}`,
      value,
      unit: 'MB',
    })),
  );
  const grown = looks.at(-1)!.megabytes['resident']! - looks[0]!.megabytes['resident']!;
  const verdict = grown <= MOST_GROWTH_MB ? 'within' : 'NOT within';
  return [
    ...rows,
    {
      name: `resident while idle against the first look: ${verdict} ${MOST_GROWTH_MB} MB`,
      value: grown,
      unit: 'MB',
    },
  ];
}

/** Linux only; elsewhere the rows say NaN. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
  } catch {
    return NaN; // No /proc here.
  }
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
}
