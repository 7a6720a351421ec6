import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { chooseConfig, describeIgnored } from './choose.js';
import { parseConfig } from './load.js';
import { trust } from './trust.js';

const PROJECT = '{"mcpServers": {"s": {"command": "x"}}}';

async function place({ hasOwn = true } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'pml-'));
  const env = { HOME: join(root, 'home') };
  const cwd = join(root, 'cwd');
  const own = join(env.HOME, '.pml', 'pml.json');
  const path = join(cwd, 'pml.json');
  await mkdir(cwd);
  await mkdir(join(env.HOME, '.pml'), { recursive: true });
  if (hasOwn) await writeFile(own, '{}');
  await writeFile(path, PROJECT);
  return {
    env,
    own,
    path,
    write: (text: string) => writeFile(path, text),
    approve: (text: string) => trust(parseConfig(text, { path, env }), { env }),
    choose: (explicit?: string) => chooseConfig({ cwd, env, explicit }),
  };
}

test('a file of the folder that nobody approved gives way to the own one of the user', async () => {
  const { choose, own, path } = await place();

  const chosen = await choose();

  expect(chosen).toMatchObject({ path: own, origin: 'user', ignored: { path } });
  expect(describeIgnored(chosen)).toContain('pml trust');
});

test('a file of the folder that nobody approved is an error when the user has none', async () => {
  const { choose } = await place({ hasOwn: false });

  await expect(choose()).rejects.toMatchObject({ code: 'CONFIG_UNTRUSTED' });
});

test('a file of the folder that nobody approved is not even read', async () => {
  const { choose, own, write } = await place();
  await write('\u0000 not JSON');

  expect(await choose()).toMatchObject({ path: own });
});

test('an approved file is used, also with other comments', async () => {
  const { choose, approve, path, write } = await place();
  await approve(PROJECT);

  expect(await choose()).toEqual({ path, origin: 'project' });
  await write(`// why\n${PROJECT}`);
  expect(await choose()).toEqual({ path, origin: 'project' });
});

test('an approved file that can do something else now gives way again', async () => {
  const { choose, approve, own, path, write } = await place();
  await approve(PROJECT);
  await write('{"mcpServers": {"s": {"command": "x"}}, "workflows": {"approve": "never"}}');

  expect(await choose()).toMatchObject({ path: own, ignored: { path } });
});

test('an approved file that cannot be read now gives way too', async () => {
  const { choose, approve, own, path, write } = await place();
  await approve(PROJECT);
  await write('{"mcpServers": ');

  const chosen = await choose();

  expect(chosen).toMatchObject({ path: own, ignored: { path } });
  expect(describeIgnored(chosen)).toContain('has mistakes');
});

test('a file of the folder that leads to itself, or is a folder, gives way', async () => {
  const { choose, own, path } = await place();
  await rm(path);
  await symlink('pml.json', path);

  expect(await choose()).toMatchObject({ path: own });
  await rm(path);
  await mkdir(path);
  expect(await choose()).toMatchObject({ path: own });
});

test('an approved file that cannot be read is named when the user has no other, but says nothing', async () => {
  const { choose, approve, path, write } = await place({ hasOwn: false });
  await approve(PROJECT);
  await write('{"dataDir": "../elsewhere", "unknown": 1}');

  expect(await choose()).toEqual({ path, origin: 'project', isUnreadable: true });
});

test('a file that the user names needs no approval', async () => {
  const { choose, path } = await place();

  expect(await choose(path)).toEqual({ path, origin: 'flag' });
});
