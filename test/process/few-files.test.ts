import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { textOf } from '../helpers/pml-client.js';
import { plain, Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SERVERS = 60;
/** How fast 60 processes start depends on the machine, not on PML. */
const RUNNING_MS = 300_000;

/** A client that starts PML with this limit on open files. */
const withFiles = (limit: number, config: string) => ({
  command: [
    '/bin/sh',
    '-c',
    `ulimit -n ${limit}; exec "$0" "$@"`,
    process.execPath,
    CLI,
    'serve',
    '--config',
    config,
  ],
});

const many = () =>
  Object.fromEntries(Array.from({ length: SERVERS }, (_, number) => [`s${number}`, plain()]));

// covers: FILES-FEW
test(
  'PML with few file descriptors refuses a server with limit and remedy, and the store keeps its work',
  async () => {
    await using workspace = await Workspace.create({ mcpServers: many() });
    const client = await workspace.connect(withFiles(256, workspace.configPath));
    const call = (server: string | undefined) =>
      client.call('pml_execute_workflow', {
        intent: 'say it again',
        tasks: [{ tool: `${server}:echo`, args: { text: 'hi' } }],
      });

    const refused = () =>
      workspace.log.split('\n').filter((line) => line.includes('was not started'));
    await expect.poll(() => refused().length, { timeout: RUNNING_MS }).toBeGreaterThan(0);
    const { servers } = await workspace.status();
    const running = servers.find(({ state }) => state === 'running');
    const failing = servers.find(({ lastError }) => lastError?.includes('was not started'));

    expect(textOf(await call(running?.name))).toContain('hi');
    expect(failing?.lastError).toMatch(/256 files.*ulimit -n 4096/s);
    // Other servers may have released files meanwhile.
    expect(textOf(await call(failing?.name))).toMatch(/^hi$|256 files.*ulimit -n 4096/s);
    const status = await workspace.status();
    expect(status.store).toMatchObject({ engine: 'pglite' });
    const executions = async () => {
      const { store } = (await workspace.status()) as unknown as {
        store: { counts: Record<string, number> };
      };
      return store.counts['execution_trace'];
    };
    await expect.poll(executions).toBeGreaterThan(0);
    expect(workspace.log).not.toContain('store not available');
  },
  RUNNING_MS,
);

test('PML with many file descriptors refuses no server, and doctor reports no limit', async () => {
  const limit = Number(
    /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1],
  );
  expect(limit).toBeGreaterThan(1_000);
  await using workspace = await Workspace.create({ mcpServers: { one: plain(), two: plain() } });
  const client = await workspace.connect();

  expect(
    await client.text('pml_read', { tasks: [{ tool: 'two:echo', args: { text: 'hi' } }] }),
  ).toBe('hi');
  const { stdout } = await workspace.run('doctor', '--json');

  expect(stdout).not.toContain('"files"');
});
