import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { killIfAlive, plain, Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

// covers: DAEMON-LAST-WORD
test('the log says of a killed daemon that it ended without saying why', async () => {
  await using workspace = await Workspace.create({ mcpServers: { one: plain() } });
  const client = await workspace.connect();
  await client.request('tools/list');
  const { pid } = await workspace.status();

  killIfAlive(pid);
  await client.request('tools/list');

  await expect
    .poll(() => workspace.log)
    .toMatch(new RegExp(`\\(pid ${pid}\\) ended without saying why.*dmesg`));
});

test('the log says nothing of a daemon that was stopped', async () => {
  await using workspace = await Workspace.create({ mcpServers: { one: plain() } });
  await using first = await workspace.connect();
  await first.request('tools/list');
  await workspace.run('restart');
  await using second = await workspace.connect();
  await second.request('tools/list');

  expect(workspace.log.split('daemon ready').length).toBeGreaterThan(2);
  expect(workspace.log).not.toMatch(/before this one|nothing asked it to/);
});

test('a daemon with little address space says so before anything ends it', async () => {
  await using workspace = await Workspace.create({ mcpServers: { one: plain() } });
  const limited = ['/bin/sh', '-c', 'ulimit -v 12000000; exec "$0" "$@"', process.execPath, CLI];
  const client = workspace.spawn({
    command: [...limited, 'serve', '--config', workspace.configPath],
  });
  void client.initialize();

  await expect
    .poll(() => workspace.log)
    .toMatch(/address space is limited to \d+ MB \(ulimit -v\)/);
  await client.kill();
});
