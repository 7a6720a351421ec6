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

test('an unapproved project file gives way to the file of the user', async () => {
  const { choose, own, path } = await place();

  const chosen = await choose();

  expect(chosen).toMatchObject({ path: own, origin: 'user', ignored: { path } });
  expect(describeIgnored(chosen)).toContain('pml trust');
});

test('an unapproved project file is an error when the user has no file', async () => {
  const { choose } = await place({ hasOwn: false });

  await expect(choose()).rejects.toMatchObject({ code: 'CONFIG_UNTRUSTED' });
});

test('an unapproved project file is not even read', async () => {
  const { choose, own, write } = await place();
  await write('\u0000 not JSON');

  expect(await choose()).toMatchObject({ path: own });
});

test('an approved project file is used, also after its comments changed', async () => {
  const { choose, approve, path, write } = await place();
  await approve(PROJECT);

  expect(await choose()).toEqual({ path, origin: 'project' });
  await write(`// why\n${PROJECT}`);
  expect(await choose()).toEqual({ path, origin: 'project' });
});

test('an approved project file gives way again after its abilities changed', async () => {
  const { choose, approve, own, path, write } = await place();
  await approve(PROJECT);
  await write('{"mcpServers": {"s": {"command": "x"}}, "workflows": {"approve": "never"}}');

  expect(await choose()).toMatchObject({ path: own, ignored: { path } });
});

test('an approved project file that has become unreadable gives way to the file of the user', async () => {
  const { choose, approve, own, path, write } = await place();
  await approve(PROJECT);
  await write('{"mcpServers": ');

  const chosen = await choose();

  expect(chosen).toMatchObject({ path: own, ignored: { path } });
  expect(describeIgnored(chosen)).toContain('has mistakes');
});

test('a project file that is a link to itself or a folder gives way to the file of the user', async () => {
  const { choose, own, path } = await place();
  await rm(path);
  await symlink('pml.json', path);

  expect(await choose()).toMatchObject({ path: own });
  await rm(path);
  await mkdir(path);
  expect(await choose()).toMatchObject({ path: own });
});

test('an unreadable approved file is named, without its content, when the user has no other', async () => {
  const { choose, approve, path, write } = await place({ hasOwn: false });
  await approve(PROJECT);
  await write('{"dataDir": "../elsewhere", "unknown": 1}');

  expect(await choose()).toEqual({ path, origin: 'project', isUnreadable: true });
});

test('a file that the user names needs no approval', async () => {
  const { choose, path } = await place();

  expect(await choose(path)).toEqual({ path, origin: 'flag' });
});
