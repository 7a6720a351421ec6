/** Commands that meet a daemon which cannot answer them, or answers in the words of another build. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';

import { expect, test } from 'vitest';

import { socketPath } from '../../src/daemon/socket-path.js';
import { plain, Workspace } from '../helpers/workspace.js';

test('[DAEMON-SILENT] commands on a suspended daemon end and name the pid and what to do', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await using client = await workspace.connect();
  const pid = workspace.daemonPid() ?? 0;
  process.kill(pid, 'SIGSTOP');

  // All at once: each of them waits for as long as a daemon may take to answer.
  const [doctor, ...results] = await Promise.all([
    workspace.run('doctor', '--json'),
    workspace.run('status'),
    workspace.run('status', '--json'),
    workspace.run('runs'),
    workspace.run('stop'),
    workspace.run('tools'),
  ]);
  process.kill(pid, 'SIGCONT');

  for (const { code, stderr } of results) {
    expect(code).toBe(1);
    expect(stderr).toContain(`The daemon (pid ${pid}) is suspended and does not answer`);
    expect(stderr).toContain(`kill -CONT ${pid}`);
  }
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(`the daemon (pid ${pid}) is suspended`);
  // Nothing was lost: the daemon goes on where it was.
  expect((await client.request('ping')).error).toBeUndefined();
  expect((await workspace.run('status')).code).toBe(0);
});

test('[DAEMON-SILENT] a daemon that is suspended while it is asked ends the request too', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await using client = await workspace.connect();
  const pid = workspace.daemonPid() ?? 0;
  await client.call('good__slow', { ms: 1 });
  const long = { tasks: [{ tool: 'good:slow', args: { ms: 600_000 } }], answer_within_ms: 1 };
  const started = await client.call('pml_execute_workflow', long);
  const run = /run_\w+/.exec(JSON.stringify(started))?.[0] ?? '';
  const watching = workspace.run('watch', run);
  await expect.poll(() => workspace.processes('relay').length).toBe(2);

  process.kill(pid, 'SIGSTOP');
  const { code, stderr } = await watching;
  process.kill(pid, 'SIGCONT');

  expect(code).toBe(1);
  expect(stderr).toContain(`pid ${pid}`);
});

test('[OTHER-BUILD] status on a daemon of an older build says what to do instead of failing', async () => {
  await using workspace = await Workspace.create({ mcpServers: {} });
  const path = socketPath(workspace.dataDir);
  // As daemons were before builds had names: the same version, and answers that lack newer parts.
  const status = { pid: 4242, version: '0.1.0', config: workspace.configPath, dataDir: 'x' };
  const old = createServer((socket) => {
    const greeting = { ok: true, version: '0.1.0', pid: 4242 };
    const answer = { jsonrpc: '2.0', id: 1, result: status };
    socket.once('data', () => socket.write(`${JSON.stringify(greeting)}\n`));
    socket.on('data', (chunk) => {
      if (chunk.includes('"method"')) socket.write(`${JSON.stringify(answer)}\n`);
    });
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => old.listen(path, resolve));

  const text = await workspace.run('status');
  const json = await workspace.run('status', '--json');
  const tools = await workspace.run('tools');
  await new Promise((resolve) => old.close(resolve));
  rmSync(path, { force: true });

  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('pid 4242') as string });
  expect(text.stderr).toContain('The daemon (pid 4242) runs another build (0.1.0, build unknown)');
  expect(text.stderr).toContain('Run pml restart');
  expect(JSON.parse(json.stdout)).toMatchObject({ running: true, isOtherBuild: true, pid: 4242 });
  expect(tools.code).toBe(1);
  expect(tools.stderr).toContain('cannot be read');
  expect(tools.stderr).toContain('Run pml restart');
});

test('a command that meets the daemon of its own build says nothing of builds', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await workspace.connect();

  const { stdout, stderr } = await workspace.run('status');

  expect(stdout).toMatch(/version \d+\.\d+\.\d+, build [\w-]+/);
  expect(stderr).not.toContain('build');
});
