import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { parseConfig } from './load.js';
import { isTrusted, trust } from './trust.js';

async function place() {
  const home = await mkdtemp(join(tmpdir(), 'pml-'));
  const env = { HOME: home };
  const load = (value: object, path = '/p/pml.json') =>
    parseConfig(JSON.stringify(value), { path, env });
  return { home, env, load, project: { origin: 'project', env } as const };
}

const config = { mcpServers: { s: { command: 'x', env: { A: '1' } } } };

// covers: SAFE-TRUST
test('PML trusts a project file that it finds only after approval', async () => {
  const { env, load, project } = await place();
  const loaded = load(config);

  expect(isTrusted(loaded, project)).toBe(false);
  await trust(loaded, { env });

  expect(isTrusted(loaded, project)).toBe(true);
  expect(isTrusted(load(config, '/other/pml.json'), project)).toBe(false);
});

// covers: SAFE-TRUST-ALL
test.each([
  { workflows: { approve: 'never' } },
  { embedding: { model: '/m' } },
  { capabilities: { verifyDaily: true } },
  { code: { timeoutMs: 1 } },
  { exposure: 'proxy' },
  { limits: { runTasks: 1 } },
  { context: { share: 0.1 } },
  { speculation: 'on' },
  { permissions: { allow: ['*'] } },
  { definitionChanges: 'block' },
  { http: { port: 1 } },
  { database: 'postgres://db.example/x' },
  { dataDir: 'd' },
])('PML asks for trust again when the file changes %o', async (setting) => {
  const { env, load, project } = await place();
  await trust(load(config), { env });

  expect(isTrusted(load({ ...config, ...setting }), project)).toBe(false);
});

test('PML asks again when a command or a value of env changes, but not for a log level', async () => {
  const { env, load, project } = await place();
  await trust(load(config), { env });

  const changed = load({ mcpServers: { s: { command: 'x', env: { A: '2' } } } });
  const harmless = load({ ...config, $schema: './s.json', logLevel: 'debug' });

  expect(isTrusted(changed, project)).toBe(false);
  expect(isTrusted(harmless, project)).toBe(true);
});

test('PML always trusts a file that the user named or keeps in the home of PML', async () => {
  const { home, env, load, project } = await place();

  expect(isTrusted(load(config), { origin: 'flag', env })).toBe(true);
  expect(isTrusted(load(config, join(home, '.pml', 'x', 'pml.json')), project)).toBe(true);
});

test('the trust list keeps earlier approvals, and a damaged list reads as empty', async () => {
  const { home, env, load, project } = await place();
  const [a, b] = [load(config, '/a/pml.json'), load(config, '/b/pml.json')];
  await trust(a, { env });
  await trust(b, { env });
  expect(isTrusted(a, project)).toBe(true);
  const list = join(home, '.pml', 'trusted.json');
  expect(JSON.parse(await readFile(list, 'utf8'))).toHaveProperty(['/b/pml.json']);

  await writeFile(list, '{"/a/pml');

  expect(isTrusted(a, project)).toBe(false);
});
