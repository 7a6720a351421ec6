/** What was learned outlives the store: nothing of it is in the database alone. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import type { CapabilityRow } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { runCode, scriptServers } from '../helpers/code-client.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { killIfAlive, Workspace } from '../helpers/workspace.js';

type Shown = Pick<CapabilityRow, 'name'>;

async function prepared() {
  const workspace = await Workspace.create('{}');
  const { one } = scriptServers({ root: workspace.path, ledger: 'ledger' });
  workspace.configure({ mcpServers: { one } });
  const client = await workspace.connect();
  await client.call('pml_discover', { intent: 'append' });
  return { workspace, client };
}

const list = async (workspace: Workspace): Promise<readonly Shown[]> => {
  const { stdout } = await workspace.run('capabilities', 'list', '--json');
  return (JSON.parse(stdout) as { capabilities: readonly Shown[] }).capabilities;
};

/** The same without the cost of a process. */
const names = async ({ dataDir }: Workspace): Promise<readonly string[]> => {
  const answer = (await askDaemon(dataDir, 'capabilities')) as unknown as {
    capabilities: readonly Shown[];
  };
  return answer.capabilities.map(({ name }) => name);
};

/** Runs code that works and gives the name of what was learned from it. */
async function learn(workspace: Workspace, client: PmlClient, intent: string, code: string) {
  const known = new Set(await names(workspace));
  expect(await runCode(client, code, { intent })).toMatchObject({ status: 'completed' });
  return vi.waitFor(
    async () => {
      const fresh = (await names(workspace)).find((name) => !known.has(name));
      if (!fresh) throw new Error(`nothing was learned from: ${intent}`);
      return fresh;
    },
    { timeout: 20_000 },
  );
}

/** The machine dies: nothing is closed, and the client with its relay is gone. */
async function crash(workspace: Workspace, client: PmlClient): Promise<void> {
  await client.kill();
  killIfAlive(workspace.daemonPid());
  await expect.poll(() => workspace.processes('daemon')).toEqual([]);
}

const timesOf = (workspace: Workspace, key: string) => {
  const ledger = join(workspace.path, 'ledger');
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n') : [];
  return lines.filter((one) => one === key).length;
};

// covers: KEPT-CAPABILITIES
test('capabilities are there and run after the daemon was killed and the store was deleted', async () => {
  const { workspace, client } = await prepared();
  await using _ = workspace;
  const kept = await learn(
    workspace,
    client,
    'write a greeting into the ledger',
    `await mcp.one.append({ key: 'hello' }); return { done: 'hello' };`,
  );
  const deleted = await learn(
    workspace,
    client,
    'write two lines into the ledger',
    `await mcp.one.append({ key: 'first' }); await mcp.one.append({ key: 'second' }); return 2;`,
  );
  expect((await workspace.run('capabilities', 'rename', kept, 'greet')).code).toBe(0);
  expect((await workspace.run('capabilities', 'pin', 'greet')).code).toBe(0);
  expect((await workspace.run('capabilities', 'delete', deleted, '--force')).code).toBe(0);
  await crash(workspace, client);

  rmSync(join(workspace.dataDir, 'store'), { recursive: true });
  const again = await workspace.connect();

  expect((await list(workspace)).map(({ name }) => name)).toEqual(['greet']);
  const shown = await workspace.run('capabilities', 'show', 'greet', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'greet', isPinned: true });
  const ran = await again.call('pml_execute_workflow', {
    capability: 'greet',
    args: { key: 'after' },
  });
  expect(textOf(ran)).toContain('"done"');
  expect(timesOf(workspace, 'after')).toBe(1);
});

// covers: KEPT-CAPABILITIES
test('capabilities are there after doctor --repair of a damaged store without a snapshot', async () => {
  const { workspace, client } = await prepared();
  await using _ = workspace;
  const name = await learn(
    workspace,
    client,
    'write a greeting into the ledger',
    `await mcp.one.append({ key: 'hello' }); return { done: 'hello' };`,
  );
  await crash(workspace, client);
  const store = join(workspace.dataDir, 'store');
  rmSync(join(store, 'snapshots'), { recursive: true, force: true });
  writeFileSync(join(store, 'pg', 'PG_VERSION'), '');

  await workspace.run('doctor', '--repair');

  // On a busy machine the command answers before the new store is open.
  await expect
    .poll(async () => (await list(workspace)).map((one) => one.name), { timeout: 60_000 })
    .toEqual([name]);
});
