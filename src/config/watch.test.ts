import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { silentLogger } from '../core/index.js';
import { loadConfig } from './load.js';
import { watchConfig } from './watch.js';

const POLL = { timeout: 20_000 };

async function start(path: string) {
  const seen: string[] = [];
  const { hash } = await loadConfig(path, {});
  const watching = watchConfig(path, (config) => seen.push(config.file.logLevel), {
    logger: silentLogger,
    env: {},
    since: hash,
    onInvalid: (error) => seen.push(error.code),
    debounceMs: 5,
  });
  return { seen, [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose]() };
}

async function configFile(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'pml-')), 'pml.json');
  await writeFile(path, '{"logLevel": "info"}');
  return path;
}

/** Atomic: the watcher could read a file that is being written while it is still empty. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

test('the watcher reports a change made by replacing the file, as editors do', async () => {
  const path = await configFile();
  await using watching = await start(path);

  await replace(path, '{"logLevel": "warn"}');

  await expect.poll(() => watching.seen, POLL).toEqual(['warn']);
});

test('the watcher survives the removal of the file and reports its return', async () => {
  const path = await configFile();
  await using watching = await start(path);

  await rm(path);
  await replace(path, '{"logLevel": "debug"}');

  await expect.poll(() => watching.seen, POLL).toEqual(['debug']);
});

test('the watcher reports an invalid version once, changes nothing, and continues', async () => {
  const path = await configFile();
  await using watching = await start(path);

  await replace(path, '{"logLevel": 7}');
  await expect.poll(() => watching.seen, POLL).toEqual(['CONFIG_INVALID']);
  await replace(path, '{"logLevel": "info"}');
  await replace(path, '{"logLevel": "error"}');

  await expect.poll(() => watching.seen, POLL).toEqual(['CONFIG_INVALID', 'error']);
});

test('the watcher reports a change made between loading and watching', async () => {
  const path = await configFile();
  const seen: string[] = [];

  await using _watching = watchConfig(path, (config) => seen.push(config.file.logLevel), {
    logger: silentLogger,
    env: {},
    since: 'an older hash',
  });

  await expect.poll(() => seen, POLL).toEqual(['info']);
});

test('the watcher follows a link to its target', async () => {
  const target = await configFile();
  const path = await configFile();
  await rm(path);
  await symlink(target, path);
  await using watching = await start(path);

  await writeFile(target, '{"logLevel": "warn"}');

  await expect.poll(() => watching.seen, POLL).toEqual(['warn']);
});
