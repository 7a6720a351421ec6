/** Two daemons on one PostgreSQL share what they learn and resume each other's runs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, test, vi } from 'vitest';

import type { CapabilityRow } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { runCode, scriptServers } from '../helpers/code-client.js';
import { execute, runOf } from '../helpers/counter.js';
import { startPostgres } from '../helpers/postgres-server.js';
import { killIfAlive, Workspace } from '../helpers/workspace.js';

const server = await startPostgres();
afterAll(async () => {
  if (typeof server !== 'string') await server[Symbol.asyncDispose]();
});

const capabilities = async ({ dataDir }: Workspace): Promise<readonly CapabilityRow[]> => {
  const answer = (await askDaemon(dataDir, 'capabilities')) as unknown as {
    capabilities: readonly CapabilityRow[];
  };
  return answer.capabilities;
};
const names = async (workspace: Workspace) =>
  (await capabilities(workspace)).map(({ name }) => name);
const change = ({ dataDir }: Workspace, params: Record<string, string | boolean>) =>
  askDaemon(dataDir, 'capability-change', params);
const written = ({ path }: Workspace): readonly string[] => {
  const ledger = join(path, 'ledger');
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : [];
};
const SOON = { timeout: 60_000, interval: 200 };

// covers: STORE-SHARED-LIVE
test.skipIf(typeof server === 'string')(
  'gateways on one database share capabilities live, and one resumes the runs of a silent one',
  async () => {
    if (typeof server === 'string') return;
    await using one = await Workspace.create('{}');
    await using other = await Workspace.create('{}');
    for (const workspace of [one, other]) {
      const { one: ledger } = scriptServers({ root: workspace.path, ledger: 'ledger' });
      workspace.configure({ database: server.url, mcpServers: { one: ledger } });
    }
    const client = await one.connect();
    await other.connect();
    await expect.poll(() => other.log, SOON).toContain('store opened');

    const code = `await mcp.one.append({ key: 'hello' }); return { done: 'hello' };`;
    const intent = 'write a greeting into the ledger';
    expect(await runCode(client, code, { intent })).toMatchObject({ status: 'completed' });
    const [name = ''] = await vi.waitFor(async () => {
      const all = await names(one);
      if (all.length === 0) throw new Error('nothing was learned');
      return all;
    }, SOON);
    await expect.poll(() => names(other), SOON).toEqual([name]);

    await change(one, { action: 'rename', name, to: 'greet' });
    await expect.poll(() => names(other), SOON).toEqual(['greet']);

    const tasks = [
      { id: 'a', tool: 'one:append', args: { key: 'first' } },
      { id: 'b', tool: 'one:append', args: { key: 'later' }, needs: ['a'] },
    ];
    const paused = runOf(await execute(client, tasks, { approve: 'per_layer' }));
    await change(other, { action: 'delete', name: 'greet' });
    await expect.poll(() => names(one), SOON).toEqual([]);
    expect(other.log).not.toContain('run resumed');

    // To other daemons a frozen daemon looks dead.
    const frozen = one.daemonPid() ?? 0;
    process.kill(frozen, 'SIGSTOP');
    try {
      await expect.poll(() => other.log, SOON).toContain(`run resumed run=${paused.run}`);
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
    await client.call('pml_continue', { run: paused.run, decision: 'approve' });
    expect(written(one), 'the daemon that lost the run does not go on with it').not.toContain(
      'later',
    );

    await client.kill();
    killIfAlive(frozen);
    const decision = { run: paused.run, decision: 'approve' };
    await askDaemon(other.dataDir, 'run-decide', decision);
    await expect.poll(() => written(other), SOON).toEqual(['later']);
  },
);
