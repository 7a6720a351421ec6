/** Appends a second to the run journal, against writing without syncing and syncing every time. */
import { appendFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { type RunEvent, runId, silentLogger, taskId } from '../src/core/index.js';
import { openFileRunLog } from '../src/journal/index.js';
import { createReport, median, type Report, type Row } from './report.js';

/** What a small call leaves: its start or its result, half a kilobyte. */
const EVENT: RunEvent = {
  type: 'task-completed',
  task: taskId('read'),
  at: 1_700_000_000_000,
  ms: 12,
  result: { content: [{ type: 'text', text: 'x'.repeat(400) }] },
};
const LINE = `${JSON.stringify([EVENT])}\n`;
const SHAPES = [
  { writers: 1, appends: 200 },
  { writers: 32, appends: 640 },
] as const;
const REPEATS = 7;

/** Made for one measurement: how one writer appends one event. */
interface Way {
  append(writer: number): Promise<unknown>;
  close(): Promise<void>;
}

const WAYS = {
  'appendFile, never synced': async (directory: string): Promise<Way> => {
    const path = join(directory, 'plain.log');
    return { append: () => appendFile(path, LINE), close: async () => {} };
  },
  'write and fdatasync each': async (directory: string): Promise<Way> => {
    const file = await open(join(directory, 'synced.log'), 'a');
    let last: Promise<void> = Promise.resolve();
    // One after another: what is in the file must be in the order it was acknowledged.
    const append = () =>
      (last = last.then(async () => {
        await file.write(LINE);
        await file.datasync();
      }));
    return { append, close: () => file.close() };
  },
  journal: async (directory: string): Promise<Way> => {
    const log = await openFileRunLog({ directory: join(directory, 'journal'), log: silentLogger });
    return {
      append: (writer) => log.append(runId(`run-${writer}`), [EVENT]),
      close: async () => log[Symbol.asyncDispose](),
    };
  },
} as const;

type WayName = keyof typeof WAYS;
const BASELINE: WayName = 'write and fdatasync each';

export async function run(): Promise<Report> {
  const rows: Row[] = [];
  for (const shape of SHAPES) rows.push(...(await measureShape(shape)));
  return createReport('journal', [...rows, await measureOpening()]);
}

async function measureShape(shape: (typeof SHAPES)[number]): Promise<readonly Row[]> {
  const names = Object.keys(WAYS) as WayName[];
  const speeds = new Map(names.map((name) => [name, [] as number[]]));
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    for (const name of names) {
      const speed = await measureWay(WAYS[name], shape);
      // The first round warms up.
      if (repeat > 0) speeds.get(name)?.push(speed);
    }
  }
  const baseline = median(speeds.get(BASELINE) ?? []);
  return names.map((name) => {
    const value = median(speeds.get(name) ?? []);
    const title = `${shape.writers} ${shape.writers === 1 ? 'writer' : 'writers'}: ${name}`;
    return { name: title, value, unit: 'appends/s', ratio: value / baseline, n: REPEATS };
  });
}

async function measureWay(
  create: (directory: string) => Promise<Way>,
  { writers, appends }: (typeof SHAPES)[number],
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'pml-bench-'));
  const way = await create(directory);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let at = 0; at < appends / writers; at++) await way.append(writer);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await way.close();
  await rm(directory, { recursive: true });
  return appends / seconds;
}

/** How long opening takes with a journal of 64 MiB. */
async function measureOpening(): Promise<Row> {
  const directory = await mkdtemp(join(tmpdir(), 'pml-bench-'));
  const path = join(directory, 'journal');
  const log = await openFileRunLog({ directory: path, log: silentLogger });
  const count = (64 << 20) / LINE.length;
  await Promise.all(
    Array.from({ length: count }, (_, at) => log.append(runId(`run-${at % 1_000}`), [EVENT])),
  );
  await log[Symbol.asyncDispose]();
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const began = performance.now();
    const opened = await openFileRunLog({ directory: path, log: silentLogger });
    times.push(performance.now() - began);
    await opened[Symbol.asyncDispose]();
  }
  await rm(directory, { recursive: true });
  return { name: 'open 64 MiB', value: median(times), unit: 'ms', n: REPEATS };
}
