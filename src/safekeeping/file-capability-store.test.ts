import { appendFile, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { describeCapabilityStore } from '../../test/conformance/capability-store.js';
import { aCapability, aVersion } from '../../test/helpers/capability-samples.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type CapabilityUpdate, silentLogger } from '../core/index.js';
import { encodeLine } from './checked-line.js';
import { FileCapabilityStore } from './file-capability-store.js';

const folder = await temporaryFolder();
let files = 0;
const newPath = () => join(folder.path, `capabilities-${files++}.log`);
const openAt = (path: string) => FileCapabilityStore.open(path, silentLogger);
const update = (part: Partial<CapabilityUpdate>): CapabilityUpdate => ({
  write: [],
  remove: [],
  forget: [],
  uses: [],
  ...part,
});
const namesIn = async (path: string) => {
  await using store = await openAt(path);
  return (await store.load()).map(({ name }) => name);
};

/** Changes one byte inside the first occurrence of the text in the file. */
async function damage(path: string, text: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.indexOf(text) + 1] = 'X'.charCodeAt(0);
  await writeFile(path, bytes);
}

const shared = await openAt(newPath());
describeCapabilityStore('a file', () => shared);
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('FileCapabilityStore', () => {
  test('FileCapabilityStore gives another process every capability with its versions and statistics', async () => {
    const path = newPath();
    const kept = aCapability('kept', { others: [aVersion({ identity: 'older', version: 2 })] });
    await using store = await openAt(path);
    await store.save(update({ write: [kept, aCapability('gone')] }));
    await store.save(update({ remove: ['gone'] }));

    await using later = await openAt(path);

    expect(await later.load()).toStrictEqual([kept]);
  });

  test('FileCapabilityStore creates its file with access for the owner only', async () => {
    const path = newPath();
    await using store = await openAt(path);
    await store.save(update({ write: [aCapability('one')] }));

    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('FileCapabilityStore refuses a symbolic link in place of its file', async () => {
    const [path, target] = [newPath(), newPath()];
    await writeFile(target, 'not ours');
    await symlink(target, path);

    await expect(openAt(path)).rejects.toMatchObject({ code: 'STORE_FAILED' });

    expect(await readFile(target, 'utf8')).toBe('not ours');
  });

  test('FileCapabilityStore refuses a file of another kind and leaves it unchanged', async () => {
    const path = newPath();
    await writeFile(path, encodeLine({ format: 'something else' }));

    await expect(openAt(path)).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });

  test('FileCapabilityStore has the state before or after the last write after a crash at any byte', async () => {
    const path = newPath();
    {
      await using store = await openAt(path);
      await store.save(update({ write: [aCapability('one')] }));
      await store.save(update({ write: [aCapability('two')] }));
    }
    const before = (await stat(path)).size;
    {
      await using store = await openAt(path);
      await store.save(update({ remove: ['one'], write: [aCapability('renamed')] }));
    }
    const bytes = await readFile(path);

    for (let length = before; length <= bytes.length; length += 97) {
      const torn = newPath();
      await writeFile(torn, bytes.subarray(0, length));
      expect(await namesIn(torn)).toEqual(['one', 'two']);
    }
    expect(await namesIn(path)).toEqual(['renamed', 'two']);
  });

  test('FileCapabilityStore continues to write after a crash cut off the last line', async () => {
    const path = newPath();
    {
      await using store = await openAt(path);
      await store.save(update({ write: [aCapability('one')] }));
    }
    await appendFile(path, '0123abcd {"write":[');
    {
      await using store = await openAt(path);
      await store.save(update({ write: [aCapability('two')] }));
    }

    expect(await namesIn(path)).toEqual(['one', 'two']);
  });

  test('FileCapabilityStore keeps readable lines of a damaged file, reports it incomplete and keeps a copy', async () => {
    const path = newPath();
    {
      await using store = await openAt(path);
      await store.replace([aCapability('one'), aCapability('two'), aCapability('three')]);
    }
    const bytes = await readFile(path);
    await damage(path, '"two"');

    await using store = await openAt(path);

    expect((await store.load()).map(({ name }) => name)).toEqual(['one', 'three']);
    expect(store.isComplete).toBe(false);
    expect((await readFile(`${path}.damaged`)).length).toBe(bytes.length);
  });

  test('FileCapabilityStore stays incomplete after it rewrites a damaged file without the store', async () => {
    const path = newPath();
    {
      await using store = await openAt(path);
      await store.replace([aCapability('one'), aCapability('two')]);
    }
    await damage(path, '"two"');
    {
      await using store = await openAt(path);
      await store.save(update({ write: [aCapability('three')] }));
      expect(store.isComplete).toBe(false);
    }

    await using later = await openAt(path);

    expect((await later.load()).map(({ name }) => name)).toEqual(['one', 'three']);
    expect({ isComplete: later.isComplete, isDamaged: later.isDamaged }).toEqual({
      isComplete: false,
      isDamaged: true,
    });
  });

  test('FileCapabilityStore opens a file in which a later line depends on a damaged one', async () => {
    const path = newPath();
    const [first, second] = [aVersion({ identity: 'a' }), aVersion({ identity: 'b', version: 2 })];
    {
      await using store = await openAt(path);
      await store.replace([aCapability('one', { current: first })]);
      await store.save(update({ write: [aCapability('one', { current: second })] }));
      const forget = [{ capability: 'one', identity: 'a' }];
      await store.save(update({ forget, write: [aCapability('two')] }));
      await store.save(update({ write: [aCapability('three')] }));
    }
    await damage(path, '"identity":"b"');

    await using store = await openAt(path);

    expect((await store.load()).map(({ name }) => name)).toEqual(['one', 'three']);
    expect((await store.load())[0]?.current.identity).toBe('a');
    expect(store.isComplete).toBe(false);
  });

  test('FileCapabilityStore keeps its file small across restarts', async () => {
    const path = newPath();
    const { identity } = aCapability('used').current;
    const use = { uses: 1, successes: 1, totalMs: 1, failuresInRow: 0, lastUsed: new Date(5) };
    const uses = Array.from({ length: 200 }, () => ({ capability: 'used', identity, ...use }));
    for (let round = 0; round < 30; round++) {
      await using store = await openAt(path);
      if (round === 0) await store.replace([aCapability('used')]);
      await store.save(update({ uses }));
    }

    expect((await stat(path)).size).toBeLessThan(300_000);
  });

  test('FileCapabilityStore keeps its file small while capabilities are used', async () => {
    const path = newPath();
    await using store = await openAt(path);
    await store.save(update({ write: [aCapability('used')] }));
    const { identity } = aCapability('used').current;
    const use = { uses: 1, successes: 1, totalMs: 1, failuresInRow: 0, lastUsed: new Date(5) };

    const uses = Array.from({ length: 2_000 }, () => ({ capability: 'used', identity, ...use }));
    for (let round = 0; round < 10; round++) await store.save(update({ uses }));

    expect((await stat(path)).size).toBeLessThan(600_000);
    const [used] = await store.load();
    expect(used?.current.statistics.uses).toBe(
      20_000 + aCapability('used').current.statistics.uses,
    );
  });

  test('FileCapabilityStore keeps its content when a write fails and accepts the next write', async () => {
    const path = newPath();
    await using store = await openAt(path);
    await store.save(update({ write: [aCapability('one')] }));
    const nonsense = [{ capability: 'one', identity: aCapability('one').current.identity }];

    await expect(store.save(update({ forget: nonsense }))).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
    await store.save(update({ write: [aCapability('two')] }));

    expect(await namesIn(path)).toEqual(['one', 'two']);
  });

  test('FileCapabilityStore reports an emptied file as incomplete', async () => {
    const path = newPath();
    {
      await using store = await openAt(path);
      await store.replace([aCapability('one')]);
    }
    await truncate(path, 0);

    {
      await using store = await openAt(path);
      expect(store.isComplete).toBe(false);
      await store.save(update({ write: [aCapability('two')] }));
    }

    expect(await namesIn(path)).toEqual(['two']);
  });
});
