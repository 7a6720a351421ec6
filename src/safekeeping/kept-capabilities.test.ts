import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { aCapability, aVersion } from '../../test/helpers/capability-samples.js';
import { memoryStores } from '../../test/helpers/memory-stores.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type Capability, type CapabilityUpdate, silentLogger } from '../core/index.js';
import { FileCapabilityStore } from './file-capability-store.js';
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

test('store from before the capability file existed fills the new file', async () => {
  const path = newPath();
  const stores = memoryStores();
  const old = aCapability('old', { others: [aVersion({ identity: 'v2', version: 2 })] });
  await stores.capabilities.save(write(old));

  const { loaded, file } = await opened(path, stores);

  expect(loaded).toEqual([old]);
  expect(file.isComplete).toBe(true);
});

// covers: KEPT-CAPABILITIES
test('new store gets back every capability of the file, with versions and statistics', async () => {
  const path = newPath();
  const { kept } = await opened(path);
  const one = aCapability('one', { others: [aVersion({ identity: 'v2', version: 2 })] });
  await kept.save(write(one, aCapability('two', { isPinned: true })));

  const { loaded, store } = await opened(path, memoryStores());

  expect(loaded.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(await store.load()).toEqual(loaded);
  expect(loaded[0]).toEqual(one);
});

test('deleted capability does not come back from a store that is older than the file', async () => {
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

test('failing store loses no capability: the file keeps it and the store gets it later', async () => {
  const path = newPath();
  const stores = memoryStores();
  const { kept } = await opened(path, stores);
  stores.capabilities.failure = new Error('disk full');
  await kept.save(write(aCapability('one')));
  stores.capabilities.failure = undefined;

  await kept.save(write(aCapability('two')));

  expect((await stores.capabilities.load()).map(({ name }) => name)).toEqual(['one', 'two']);
});

test('capability file that was started without the store imports what the store has', async () => {
  const path = newPath();
  const alone = await fileAt(path);
  await alone.save(write(aCapability('early')));
  const stores = memoryStores();
  await stores.capabilities.save(write(aCapability('stored')));

  const { loaded } = await opened(path, stores);

  expect(loaded.map(({ name }) => name)).toEqual(['early', 'stored']);
});

const namesOf = (all: readonly Capability[]) => all.map(({ name }) => name);

/** A store with capabilities whose file cannot be written until `repair`. */
async function withoutFile(...names: string[]) {
  const path = newPath();
  const stores = memoryStores();
  await stores.capabilities.save(write(...names.map((name) => aCapability(name))));
  await mkdir(`${path}.new`); // Blocks every draft of the file.
  const { kept, loaded, file, store } = await opened(path, stores);
  const repair = () => rmdir(`${path}.new`);
  return { path, kept, loaded, file, store, repair };
}

// covers: KEPT-CAPABILITIES
test('failed first write of the capability file loses no capability if the next write works', async () => {
  const { kept, loaded, file, store, repair } = await withoutFile('one', 'two');
  expect(namesOf(loaded)).toEqual(['one', 'two']);
  await repair();

  await kept.save(write(aCapability('three')));

  expect(namesOf(await store.load())).toEqual(['one', 'three', 'two']);
  expect(namesOf(await file.load())).toEqual(['one', 'three', 'two']);
  expect(file.isComplete).toBe(true);
});

test('capability that is removed after a failed first write of the file stays removed', async () => {
  const { path, kept, store, repair } = await withoutFile('one', 'two');
  await repair();

  await kept.save(update({ remove: ['one'] }));

  expect(namesOf(await store.load())).toEqual(['two']);
  expect(namesOf(await (await fileAt(path)).load())).toEqual(['two']);
});

test('incomplete file accepts changes while the store fails, and later imports all of the store', async () => {
  const { path, kept, file, store, repair } = await withoutFile('one', 'two');
  await repair();
  store.failure = new Error('disk full');
  await kept.save(write(aCapability('three')));
  expect(file.isComplete).toBe(false);
  store.failure = undefined;

  await kept.save(update({ remove: ['two'] }));

  expect(namesOf(await store.load())).toEqual(['one', 'three']);
  expect(namesOf(await (await fileAt(path)).load())).toEqual(['one', 'three']);
});

test('damaged line does not put a capability back to its previous version', async () => {
  const path = newPath();
  const stores = memoryStores();
  const { kept, file: before } = await opened(path, stores);
  const second = aVersion({ identity: 'second', version: 2 });
  await kept.save(write(aCapability('one')));
  await kept.save(write(aCapability('one', { current: second })));
  await before[Symbol.asyncDispose]();
  await writeFile(path, (await readFile(path, 'utf8')).replace('"second"', '"sekond"'));

  const { loaded, store, file } = await opened(path, stores);

  expect(loaded.map(({ current }) => current.identity)).toEqual(['second']);
  expect((await store.load()).map(({ current }) => current.identity)).toEqual(['second']);
  expect(file.isComplete).toBe(true);
});
