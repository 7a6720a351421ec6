import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { aCapability, aVersion } from '../../test/helpers/capability-samples.js';
import { memoryStores } from '../../test/helpers/memory-stores.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type Capability, type CapabilityUpdate, silentLogger } from '../core/index.js';
import { FileCapabilityStore } from '../safekeeping/index.js';
import { keptCapabilities } from './kept-capabilities.js';

const folder = await temporaryFolder();
const open: FileCapabilityStore[] = [];
afterAll(async () => {
  for (const file of open) await file[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
let files = 0;
const newPath = () => join(folder.path, `${files++}`);

const update = (part: Partial<CapabilityUpdate>): CapabilityUpdate => ({
  write: [],
  remove: [],
  forget: [],
  uses: [],
  ...part,
});
const write = (...all: Capability[]) => update({ write: all });

async function fileAt(path: string): Promise<FileCapabilityStore> {
  const file = await FileCapabilityStore.open(path, silentLogger);
  open.push(file);
  return file;
}

async function opened(path: string, { capabilities: store } = memoryStores()) {
  const file = await fileAt(path);
  const kept = keptCapabilities({ file, store, log: silentLogger });
  return { file, store, kept, loaded: await kept.load() };
}

test('a store from before there was a file fills the file', async () => {
  const path = newPath();
  const stores = memoryStores();
  const old = aCapability('old', { others: [aVersion({ identity: 'v2', version: 2 })] });
  await stores.capabilities.save(write(old));

  const { loaded, file } = await opened(path, stores);

  expect(loaded).toEqual([old]);
  expect(file.isComplete).toBe(true);
});

// covers: KEPT-CAPABILITIES
test('a new store gets back every capability of the file, with versions and statistics', async () => {
  const path = newPath();
  const { kept } = await opened(path);
  const one = aCapability('one', { others: [aVersion({ identity: 'v2', version: 2 })] });
  await kept.save(write(one, aCapability('two', { isPinned: true })));

  const { loaded, store } = await opened(path, memoryStores());

  expect(loaded.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(await store.load()).toEqual(loaded);
  expect(loaded[0]).toEqual(one);
});

test('what was deleted does not come back from a store that is older than the file', async () => {
  const path = newPath();
  const { kept } = await opened(path);
  await kept.save(write(aCapability('deleted'), aCapability('renamed')));
  const old = memoryStores();
  await old.capabilities.save(write(aCapability('deleted'), aCapability('renamed')));
  const renamed = aCapability('newName', { aliases: ['renamed'] });
  await kept.save(update({ remove: ['deleted', 'renamed'], write: [renamed] }));

  const { loaded, store } = await opened(path, old);

  expect(loaded).toEqual([renamed]);
  expect(await store.load()).toEqual([renamed]);
});

test('a store that fails costs nothing: the file has it and the store gets it later', async () => {
  const path = newPath();
  const stores = memoryStores();
  const { kept } = await opened(path, stores);
  stores.capabilities.failure = new Error('disk full');
  await kept.save(write(aCapability('one')));
  stores.capabilities.failure = undefined;

  await kept.save(write(aCapability('two')));

  expect((await stores.capabilities.load()).map(({ name }) => name)).toEqual(['one', 'two']);
});

test('a file that was begun without the store takes up what the store has', async () => {
  const path = newPath();
  const alone = await fileAt(path);
  await alone.save(write(aCapability('early')));
  const stores = memoryStores();
  await stores.capabilities.save(write(aCapability('stored')));

  const { loaded } = await opened(path, stores);

  expect(loaded.map(({ name }) => name)).toEqual(['early', 'stored']);
});
