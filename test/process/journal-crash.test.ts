import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { compileScript, findFaults, runWriter } from '../helpers/journal-writer.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';

let build: Awaited<ReturnType<typeof temporaryFolder>>;
let writer: string;

beforeAll(async () => {
  build = await temporaryFolder();
  writer = await compileScript('writer', build.path);
});
afterAll(() => build[Symbol.asyncDispose]());

/** How many lines the writer has said when it is killed: from its first word to well under way. */
const KILLED_AFTER = [
  1, 2, 3, 4, 5, 7, 9, 12, 14, 17, 21, 26, 31, 37, 43, 50, 58, 67, 77, 88, 100, 120,
];
const ROUNDS = 12;
/** Every n-th call of its kind: those that change names are few and matter most. */
const CALLS = { pwrite64: 2, fdatasync: 2, fsync: 1, rename: 1, unlink: 1 } as const;
const AT_ONCE = 2;

const canTrace = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;
/** Whether a file system of our own, a very small one, can be had. */
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

test('killed again and again while writing to one journal: all that was acknowledged is there once', async () => {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, 'journal');
  const said: string[] = [];

  for (const killAfter of KILLED_AFTER) {
    const last = Math.max(0, ...said.map((line) => Number(line.split(' ')[2] ?? 0)));
    // Two are left out: one of them may have been written without a word.
    const lines = await runWriter(writer, directory, { rounds: 1_000, first: last + 2, killAfter });
    said.push(...lines);
    expect(lines.length).toBeGreaterThanOrEqual(killAfter);
    expect(await findFaults(directory, said)).toEqual([]);
  }
});

test.skipIf(!canTrace)(
  `killed at every kind of call that changes the disk, or refused by it${canTrace ? '' : ' (skipped: no strace)'}`,
  async () => {
    const counts = await countCalls();
    const points = [
      ...Object.entries(CALLS).flatMap(([call, step]) =>
        places(counts.get(call) ?? 0, step).map((when) => ({ call, when, does: 'signal=KILL' })),
      ),
      ...places(counts.get('pwrite64') ?? 0, 5).map((when) => ({
        call: 'pwrite64',
        when,
        does: 'error=ENOSPC',
      })),
      ...places(counts.get('fdatasync') ?? 0, 5).map((when) => ({
        call: 'fdatasync',
        when,
        does: 'error=EIO',
      })),
    ];
    const faults: string[] = [];
    const outcomes = { killed: 0, refused: 0 };

    await eachOf(points, async ({ call, when, does }) => {
      await using folder = await memoryFolder();
      const directory = join(folder.path, 'journal');
      const inject = `inject=${call}:${does}:when=${when}`;
      const said = await runWriter(writer, directory, { rounds: ROUNDS, under: tracing(inject) });
      if (said.at(-1) !== 'end') outcomes.killed++;
      if (said.some((line) => line.startsWith('nack'))) outcomes.refused++;
      const found = await findFaults(directory, said);
      faults.push(...found.map((fault) => `${inject}: ${fault}`));
    });

    expect(faults).toEqual([]);
    expect(outcomes.killed, 'nothing was killed: the test is blind').toBeGreaterThan(20);
    expect(outcomes.refused, 'nothing was refused: the test is blind').toBeGreaterThan(4);
  },
);

test.skipIf(!canMount)(
  `a disk that is full refuses with the reason, keeps what it had, and goes on with room${canMount ? '' : ' (skipped: no mounts)'}`,
  async () => {
    await using folder = await temporaryFolder();
    const script = await compileScript('fill-disk', build.path);
    const mount = 'mount -t tmpfs -o size=300k none "$1" && exec "$2" "$3" "$1"';
    const args = ['-rm', 'sh', '-c', mount, 'sh', folder.path, process.execPath, script];

    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });

    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(report).toMatchObject({
      refusals: Array.from({ length: 3 }, () =>
        expect.stringMatching(/journal\/\d+\.log: ENOSPC.*Free space/),
      ),
      isSame: [true, true, true],
      damaged: [],
      claimed: ['run'],
    });
    expect(report['accepted']).toBeGreaterThan(30);
  },
);

function tracing(inject?: string, output = '/dev/null'): readonly string[] {
  const calls = `trace=${Object.keys(CALLS).join(',')}`;
  const what = ['-e', calls, ...(inject ? ['-e', inject] : [])];
  return ['strace', '-f', '-qq', '-o', output, ...what];
}

async function countCalls(): Promise<ReadonlyMap<string, number>> {
  await using folder = await memoryFolder();
  const trace = join(folder.path, 'trace');
  const under = tracing(undefined, trace);
  await runWriter(writer, join(folder.path, 'journal'), { rounds: ROUNDS, under });
  const counts = new Map<string, number>();
  for (const [, call = ''] of (await readFile(trace, 'utf8')).matchAll(/^\d+ +(\w+)\(/gm)) {
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return counts;
}

function places(count: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => 1 + at * step);
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** In memory where there is such a place: which calls were made counts here, not what they take. */
async function memoryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pml-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
