import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { forkScript, killHard } from '../../test/helpers/fork-script.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { acquireOwnerLock } from './owner-lock.js';

/** A lock as a dead process leaves it. */
const DEAD_LOCK = JSON.stringify({
  pid: 2 ** 30,
  started: 'long ago',
  host: hostname(),
  nonce: 'x',
});

const acquireMany = async (path: string, count: number) => {
  const results = await Promise.allSettled(
    Array.from({ length: count }, () => acquireOwnerLock(path)),
  );
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
};

async function tryToOwn(child: ChildProcess): Promise<string> {
  const answer = once(child, 'message') as Promise<[string]>;
  child.send('acquire');
  return (await answer)[0];
}

// covers: OWNER-ONE
test('owner lock gives the directory to exactly one of several processes, also after a kill', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  let waiting = Array.from({ length: 5 }, () => forkScript('lock-holder.ts', [path]));
  const all = waiting;
  try {
    await Promise.all(waiting.map(({ child }) => once(child, 'message')));

    while (waiting.length > 0) {
      const answers = await Promise.all(waiting.map(({ child }) => tryToOwn(child)));

      const expected = ['owner', ...Array.from(waiting.slice(1), () => 'DATA_DIR_IN_USE')];
      expect(answers.toSorted().toReversed()).toEqual(expected);
      const owner = answers.indexOf('owner');
      await killHard(waiting[owner]!.child);
      waiting = waiting.toSpliced(owner, 1);
    }
  } finally {
    await Promise.all(all.map((script) => script[Symbol.asyncDispose]()));
  }
}, 60_000);

test('owner lock lets exactly one process replace a dead lock, however many try at once', async () => {
  await using folder = await temporaryFolder();

  for (let round = 0; round < 20; round += 1) {
    const path = join(folder.path, `${round}.lock`);
    await writeFile(path, DEAD_LOCK);
    expect(await acquireMany(path, 8)).toHaveLength(1);
  }
});

test('owner lock replaces a dead lock although an earlier takeover died too', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  await writeFile(path, DEAD_LOCK);
  const guard = `${path}.${createHash('sha256').update(DEAD_LOCK).digest('hex').slice(0, 16)}`;
  await writeFile(guard, DEAD_LOCK);

  expect(await acquireMany(path, 8)).toHaveLength(1);
  expect(await readdir(folder.path), 'guards are used and removed').toEqual(['owner.lock']);
});

test.each(['', 'not json', '{}', '[]', 'null'])('owner lock %j is replaced', async (text) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  await writeFile(path, text);

  await using _ = await acquireOwnerLock(path);

  expect(await readdir(folder.path)).toEqual(['owner.lock']);
});

test('owner lock is replaced if its pid now belongs to a later process', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  const before = { pid: process.pid, started: 'before the restart', host: hostname(), nonce: 'x' };
  await writeFile(path, JSON.stringify(before));

  await using lock = await acquireOwnerLock(path);

  expect(lock).toBeDefined();
});

test('owner lock of another machine stays untouched, and the error says what to do', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  await writeFile(path, JSON.stringify({ pid: 1, started: 'x', host: 'elsewhere', nonce: 'x' }));

  const acquiring = acquireOwnerLock(path);

  await expect(acquiring).rejects.toMatchObject({
    code: 'DATA_DIR_IN_USE',
    message: expect.stringContaining('If elsewhere no longer runs it, delete the lock file'),
  });
});

test('owner lock is free after its release, and a second release does not affect the next owner', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  const first = await acquireOwnerLock(path);
  await first[Symbol.asyncDispose]();
  await using _second = await acquireOwnerLock(path);

  await first[Symbol.asyncDispose]();

  await expect(acquireOwnerLock(path)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
});
