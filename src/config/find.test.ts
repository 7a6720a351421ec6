import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findConfig } from './find.js';

async function place(...files: string[]) {
  const root = await mkdtemp(join(tmpdir(), 'pml-'));
  for (const file of files) {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), '{}');
  }
  await mkdir(join(root, 'cwd'), { recursive: true });
  return { root, cwd: join(root, 'cwd'), env: { HOME: join(root, 'home') } };
}

test('the search for a configuration prefers the flag, then PML_CONFIG, the directory, the user file', async () => {
  const { root, cwd, env } = await place('cwd/pml.json', 'home/.pml/pml.json', 'a.json', 'b.json');
  const named = { ...env, PML_CONFIG: join(root, 'b.json') };

  expect(findConfig({ cwd, env: named, explicit: '../a.json' })).toEqual({
    path: join(root, 'a.json'),
    origin: 'flag',
  });
  expect(findConfig({ cwd, env: named })).toMatchObject({ origin: 'env' });
  expect(findConfig({ cwd, env })).toEqual({
    path: join(cwd, 'pml.json'),
    origin: 'project',
  });
  expect(findConfig({ cwd: root, env })).toMatchObject({ origin: 'user' });
});

test('the search finds the user file below PML_HOME, also when PML starts there', async () => {
  const { root, env } = await place('h/pml.json');
  const home = { ...env, PML_HOME: join(root, 'h') };

  const found = findConfig({ cwd: join(root, 'h'), env: home });

  expect(found).toEqual({ path: join(root, 'h', 'pml.json'), origin: 'user' });
});

test('a named configuration file that is missing is an error, not a reason to look elsewhere', async () => {
  const { cwd, env } = await place('cwd/pml.json');

  expect(() => findConfig({ cwd, env, explicit: 'no.json' })).toThrow('--config names it');
});

test('the error for a missing configuration says where PML looked and what to run', async () => {
  const { cwd, env } = await place();

  const found = () => findConfig({ cwd, env });

  expect(found).toThrow('pml init');
  expect(found).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
});
