import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { fixtureServer, Workspace } from '../helpers/workspace.js';

test.skipIf(process.platform !== 'linux').each([
  ['the folder of its first client', { PWD: '/somewhere/else' }, 'PWD=/somewhere/else'],
  ['none, where its first client has none', {}, undefined],
])('a daemon that a shell starts keeps the variable PWD: %s', async (_, variables, expected) => {
  await using workspace = await Workspace.create('{}', { variables });
  workspace.configure({
    exposure: 'proxy',
    mcpServers: { good: fixtureServer('plain-server.mjs') },
  });
  await using client = await workspace.connect();
  await client.text('good__echo', { text: 'warm' });

  const environment = readFileSync(`/proc/${workspace.daemonPid()}/environ`, 'utf8').split('\0');

  expect(environment.find((one) => one.startsWith('PWD='))).toBe(expected);
});
