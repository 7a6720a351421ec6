import { readdirSync } from 'node:fs';

import { expect, test } from 'vitest';

import { plain, Workspace } from '../helpers/workspace.js';

const server = JSON.stringify(plain());
/** As deep as it takes to break a parser that recurses. */
const deep = `{"mcpServers":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;

test.each([
  ['is empty', '', ''],
  ['is cut short', '{"mcpServers": {', ':1:17:'],
  ['is a list', '[]', ''],
  ['has servers of the wrong type', '{"mcpServers": []}', 'mcpServers'],
  ['misspells a key', `{"mcpServer": {"a": ${server}}}`, 'mcpServer'],
  [
    'has a limit of the wrong type',
    '{"limits": {"callTimeoutMs": "soon"}}',
    'limits.callTimeoutMs',
  ],
  ['has a limit out of range', '{"limits": {"callTimeoutMs": -1}}', 'limits.callTimeoutMs'],
  ['refers to itself', '{"mcpServers": {"$ref": "#/mcpServers"}}', 'mcpServers'],
  ['has a server name that breaks ids', `{"mcpServers": {"a__b": ${server}}}`, 'a__b'],
  ['is nested without end', deep, ''],
  ['is huge and wrong', `{"mcpServers": {}, "x": "${'y'.repeat(5_000_000)}"}`, 'too large'],
])('a configuration that %s is refused before anything starts', async (_what, text, where) => {
  await using workspace = await Workspace.create(text, { isNew: true });
  const client = workspace.spawn();

  const { error } = await client.initialize();

  expect(error?.message).toContain('the relay ended');
  await expect.poll(() => client.child.exitCode).toBe(1);
  expect(client.stderr).toContain(workspace.configPath);
  expect(client.stderr).toContain(where);
  expect(client.stderr.length).toBeLessThan(5_000);
  await expect.poll(() => workspace.processes()).toEqual([]);
  const left = readdirSync(workspace.path, { recursive: true, encoding: 'utf8' });
  expect(left.filter((path) => path.includes('pgdata') || path.includes('.sock'))).toEqual([]);
});
