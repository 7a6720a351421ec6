/** First answers need neither the store nor a server that PML has listed before. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { plain, Workspace } from '../helpers/workspace.js';

/** A daemon that listed its servers and was stopped. */
async function listedBefore() {
  const workspace = await Workspace.create({
    exposure: 'proxy',
    mcpServers: { one: plain(), two: plain() },
  });
  const client = await workspace.connect();
  const names = await toolNames(client);
  await client[Symbol.asyncDispose]();
  await workspace.run('stop');
  return { workspace, names };
}

async function toolNames(client: Awaited<ReturnType<Workspace['connect']>>) {
  const { result = {} } = await client.request('tools/list');
  return (result['tools'] as readonly { readonly name: string }[]).map(({ name }) => name);
}

// covers: START-FILES
test('second start lists all tools although the store cannot be opened, and starts no server', async () => {
  const { workspace, names } = await listedBefore();
  await using _ = workspace;
  rmSync(join(workspace.dataDir, 'store/pg/PG_VERSION'));

  const client = await workspace.connect();

  expect(names.length).toBeGreaterThan(1);
  expect(await toolNames(client)).toEqual(names);
  expect(workspace.processes('server')).toEqual([]);
});

test('start with a damaged list file reads the store instead, and mends the file', async () => {
  const { workspace, names } = await listedBefore();
  await using _ = workspace;
  const folder = join(workspace.dataDir, 'catalog');
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'damaged');

  const client = await workspace.connect();
  const listed = await toolNames(client);
  await client[Symbol.asyncDispose]();
  await workspace.run('stop');
  rmSync(join(workspace.dataDir, 'store/pg/PG_VERSION'));
  const again = await workspace.connect();

  expect(listed).toEqual(names);
  expect(await toolNames(again)).toEqual(names);
});
