import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { compileScript, findFaults, runWriter } from '../helpers/journal-writer.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';
import {
  canTrace,
  countCalls,
  eachOf,
  memoryFolder,
  places,
  tracing,
} from '../helpers/trace-calls.js';

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

/** Whether a file system of our own, a very small one, can be had. */
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

test('killed again and again while writing to one journal: all that was acknowledged is there once', async () => {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, 'journal');
  const said: string[] = [];
  let first = 0;

  for (const killAfter of KILLED_AFTER) {
    const last = Math.max(first, ...said.map((line) => Number(line.split(' ')[2] ?? 0)));
    // Two are left out: one of them may have been written without a word, the very first as well.
    first = last + 2;
    const lines = await runWriter(writer, directory, { rounds: 1_000, first, killAfter });
    said.push(...lines);
    expect(lines.length).toBeGreaterThanOrEqual(killAfter);
    expect(await findFaults(directory, said, first)).toEqual([]);
  }
});

test.skipIf(!canTrace)(
  `killed at every kind of call that changes the disk, or refused by it${canTrace ? '' : ' (skipped: no strace)'}`,
  async () => {
    const counts = await countCalls(Object.keys(CALLS), (under, folder) =>
      runWriter(writer, join(folder, 'journal'), { rounds: ROUNDS, under }),
    );
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

    await eachOf(points, AT_ONCE, async ({ call, when, does }) => {
      await using folder = await memoryFolder();
      const directory = join(folder.path, 'journal');
      const inject = `inject=${call}:${does}:when=${when}`;
      const said = await runWriter(writer, directory, {
        rounds: ROUNDS,
        under: tracing(Object.keys(CALLS), inject),
      });
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
  `a disk that is full refuses with the reason, keeps what it had, and continues once it has room${canMount ? '' : ' (skipped: no mounts)'}`,
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
