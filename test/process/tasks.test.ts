/** Tasks of servers, and runs as tasks: what clients see, and what is left after a crash. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { askDaemon } from '../../src/daemon/index.js';
import { type ModernClient, modernClient } from '../helpers/modern-client.js';
import { killIfAlive, plain, Workspace } from '../helpers/workspace.js';

const SERVER = fileURLToPath(new URL('../fixtures/tasks-server.mjs', import.meta.url));
const EVERYTHING = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
);
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: {} };

let workspace: Workspace;
let remote: Awaited<ReturnType<typeof serveTasks>>;
let client: ModernClient;

/** A server with tasks that does not belong to PML, and lives on when PML dies. */
async function serveTasks(path: string) {
  const journal = join(path, 'remote-journal');
  const env = { ...process.env, PORT: '0', JOURNAL: journal, ERAS: 'modern' };
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const lines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []);
  return { url: `http://127.0.0.1:${port}/mcp`, lines, kill: () => child.kill('SIGKILL') };
}

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  remote = await serveTasks(workspace.path);
  workspace.configure({
    exposure: 'meta',
    mcpServers: {
      far: { url: remote.url },
      near: plain(),
      everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
    },
    permissions: { ask: ['near:effect'], allow: ['far:*'] },
  });
  client = modernClient(workspace.spawn(), TASKS);
  await client.call('pml_discover', { intent: 'wait for a file' });
});

afterAll(async () => {
  remote.kill();
  await workspace[Symbol.asyncDispose]();
});

const run = (tool: string, args: object, more: object = {}) => ({
  tasks: [{ id: 'a', tool, args }],
  ...more,
});
const textIn = (task: Record<string, unknown>) => JSON.stringify(task['result']);

/** The task once it no longer works. */
async function ended(id: unknown, by: ModernClient = client): Promise<Record<string, unknown>> {
  let task: Record<string, unknown> = {};
  const status = async () => {
    task = await by.task('get', String(id));
    return task['status'];
  };
  await expect.poll(status, { timeout: 20_000 }).not.toBe('working');
  return task;
}

// covers: TASKS-RUN
test('client that declares tasks gets a run that takes long as a task, and its result', async () => {
  const file = join(workspace.path, 'first');

  const created = await client.call(
    'pml_execute_workflow',
    run('far:wait_for_file', { path: file }),
  );
  const working = await client.task('get', String(created['taskId']));
  writeFileSync(file, '');

  expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
  expect(created).not.toHaveProperty('result');
  expect(working).toMatchObject({ resultType: 'complete', status: 'working' });
  expect(await ended(created['taskId'])).toMatchObject({ status: 'completed' });
  expect(textIn(await client.task('get', String(created['taskId'])))).toContain(`saw ${file}`);
});

test('client that does not declare tasks gets `running` and pml_continue', async () => {
  const other = modernClient(workspace.spawn(), {});
  const file = join(workspace.path, 'second');

  const started = await other.call(
    'pml_execute_workflow',
    run('far:wait_for_file', { path: file }, { answer_within_ms: 0 }),
  );
  writeFileSync(file, '');
  const { run: id } = started['structuredContent'] as { run: string };
  const done = await other.call('pml_continue', { run: id });

  expect(started).toMatchObject({ structuredContent: { status: 'running' } });
  expect(JSON.stringify(done)).toContain(`saw ${file}`);
});

// covers: TASKS-APPROVAL
test('approval of a run is a question of its task, and tasks/update answers it', async () => {
  const created = await client.call('pml_execute_workflow', run('near:effect', { key: 'asked' }));
  const id = String(created['taskId']);

  const asking = await client.task('get', id);
  const [key = ''] = Object.keys(asking['inputRequests'] as object);
  await client.task('update', id, { inputResponses: { unknown: { action: 'decline' } } });
  const still = await client.task('get', id);
  const { params } = (asking['inputRequests'] as Record<string, { params: object }>)[key] ?? {};
  const acknowledged = await client.task('update', id, {
    inputResponses: { [key]: { action: 'accept', content: { decision: 'approve' } } },
  });

  expect(created).toMatchObject({ resultType: 'task', status: 'input_required' });
  expect(JSON.stringify(params)).toContain('near:effect');
  expect(still).toMatchObject({ status: 'input_required' });
  expect(Object.keys(acknowledged).toSorted()).toEqual(['_meta', 'resultType']);
  expect(await ended(id)).toMatchObject({
    status: 'completed',
    result: { content: [{ type: 'text' }] },
  });
});

test('tasks/cancel aborts the run, and the server hears it', async () => {
  const created = await client.call(
    'pml_execute_workflow',
    run('far:wait_for_file', { path: join(workspace.path, 'never') }),
  );
  const id = String(created['taskId']);

  await client.task('cancel', id);
  await client.task('cancel', id);

  expect(await ended(id)).toMatchObject({ status: 'cancelled' });
  await expect
    .poll(() => remote.lines().some((line) => line.startsWith('tasks/cancel')))
    .toBe(true);
  await expect(client.task('get', 'run_that_never_was.0')).rejects.toThrow('-32602');
});

// covers: TASKS-ASK
test('question of a task of a server reaches the client of the run', async () => {
  const created = await client.call(
    'pml_execute_workflow',
    run('far:confirm_delete', { filename: 'x' }),
  );
  const id = String(created['taskId']);
  expect(await ended(id)).toMatchObject({ status: 'input_required' });
  const { inputRequests } = await client.task('get', id);
  const [key = ''] = Object.keys(inputRequests as object);
  await client.task('update', id, {
    inputResponses: { [key]: { action: 'accept', content: { confirm: true } } },
  });

  expect(await ended(id)).toMatchObject({ status: 'completed' });
  expect(textIn(await client.task('get', id))).toContain('deleted x');
});

test('tool of 2025-11-25 that runs only as a task is followed for a client without tasks', async () => {
  const old = await workspace.connect();
  const args = { topic: 'tides', ambiguous: false };
  const tasks = [{ id: 'a', tool: 'everything:simulate-research-query', args }];

  const answer = await old.text('pml_execute_workflow', { tasks });

  expect(answer).toContain('Research Report: tides');
});

// covers: TASKS-CRASH
test('run goes on with the task of its server after the daemon was killed, and calls nothing twice', async () => {
  const file = join(workspace.path, 'after-the-crash');
  const before = remote.lines().filter((line) => line === 'call wait_for_file').length;
  const created = await client.call(
    'pml_execute_workflow',
    run('far:wait_for_file', { path: file }),
  );
  const id = String(created['taskId']);
  const [runId = ''] = id.split('.');

  killIfAlive(workspace.daemonPid());
  const again = modernClient(workspace.spawn(), TASKS);
  const resumed = await again.task('get', id);
  writeFileSync(file, '');

  expect(resumed).toMatchObject({ status: 'working' });
  expect(await ended(id, again)).toMatchObject({ status: 'completed' });
  expect(textIn(await again.task('get', id))).toContain(`saw ${file}`);
  const calls = remote.lines().filter((line) => line === 'call wait_for_file').length;
  expect(calls - before).toBe(1);
  const journal = await askDaemon(workspace.dataDir, 'run-events', { run: runId });
  expect(JSON.stringify(journal)).toContain('task-deferred');
});
