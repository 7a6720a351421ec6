/** Workflows over real servers: the errors an agent gets for a wrong plan, tool or task. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Answer, PmlClient } from '../helpers/pml-client.js';
import { resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const talkative = (...args: string[]) => ({
  command: process.execPath,
  args: [join(FIXTURES, 'talkative-server.mjs'), ...args],
});

let workspace: Workspace;
let client: PmlClient;

beforeAll(async () => {
  workspace = await Workspace.create({
    permissions: { deny: ['b:picture'] },
    mcpServers: { a: talkative('legacy'), b: talkative('legacy', 'second') },
  });
  client = await workspace.connect();
  await client.call('pml_discover', { intent: 'echo' });
});

afterAll(() => workspace[Symbol.asyncDispose]());

interface Run {
  readonly status: string;
  readonly tasks: Record<
    string,
    { status: string; result?: unknown; error?: object; because?: string }
  >;
}

const execute = (tasks: unknown, meta?: object) =>
  client.call('pml_execute_workflow', { tasks }, meta);
const runOf = ({ result }: Answer) => result?.['structuredContent'] as Run;
const textOf = ({ result }: Answer) => resultText(result ?? {});

test('workflow passes results from one server to another by reference', async () => {
  const answer = await execute([
    { id: 'rows', tool: 'a:rows', args: { count: 3 } },
    { id: 'one', tool: 'b:echo', args: { text: { $ref: 'rows.rows[2].name' } } },
    { id: 'both', tool: 'a:echo', args: { text: 'got ${one} and ${rows.rows[0].id}' } },
  ]);

  expect(runOf(answer)).toMatchObject({
    status: 'completed',
    tasks: { one: { result: 'row 2' }, both: { result: 'got row 2 and 0' } },
  });
  expect(answer.result?.['isError']).toBeUndefined();
});

test('failed task skips only the tasks that need it', async () => {
  const answer = await execute([
    { id: 'bad', tool: 'a:fail' },
    { id: 'next', tool: 'a:echo', args: { text: 'x ${bad}' } },
    { id: 'last', tool: 'b:echo', args: { text: 'y' }, needs: ['next'] },
    { id: 'free', tool: 'b:echo', args: { text: 'z' } },
  ]);

  expect(answer.result?.['isError']).toBe(true);
  expect(runOf(answer)).toMatchObject({
    status: 'failed',
    tasks: {
      bad: { status: 'failed', error: { code: 'TOOL_FAILED', message: 'disk full' } },
      next: { status: 'skipped' },
      last: { status: 'skipped' },
      free: { status: 'completed', result: 'z' },
    },
  });
});

test('error names every problem of a plan at once, and nothing runs', async () => {
  const answer = await execute([
    { id: 'x', tool: 'a:echo', arguments: {} },
    { id: 'x', tool: 'no-colon' },
    { tool: 'a:echo', args: { text: { $ref: 'nobody.y' } } },
  ]);

  expect(answer.result?.['isError']).toBe(true);
  const text = textOf(answer);
  for (const part of ['PLAN_INVALID', 'tasks[0]', 'did you mean `args`', 'tasks[1]', 'tasks[2]']) {
    expect(text).toContain(part);
  }
});

test('error for an unknown tool or server lists what exists', async () => {
  const answer = await execute([
    { id: 'one', tool: 'a:ecko' },
    { id: 'two', tool: 'c:echo' },
    { id: 'three', tool: 'b:picture' },
  ]);

  const text = textOf(answer);
  expect(text).toMatch(/task one: No tool a:ecko/);
  expect(text).toMatch(/task two: No server c is configured\. Configured: a, b/);
  expect(text).toMatch(/task three: b:picture is hidden/);
});

test('error for a misspelt tool suggests the right one', async () => {
  expect(textOf(await execute([{ tool: 'a:row' }]))).toContain('Near: a:rows');
});

test('plan with a cycle is refused with the tasks that form it', async () => {
  const answer = await execute([
    { id: 'p', tool: 'a:echo', needs: ['q'] },
    { id: 'q', tool: 'a:echo', needs: ['p'] },
  ]);

  expect(textOf(answer)).toMatch(/PLAN_HAS_CYCLE.*p.*q/);
});

test('many long results together stay close to the limit of one', async () => {
  const tasks = Array.from({ length: 20 }, (_, i) => ({
    id: `t${i}`,
    tool: 'a:lines',
    args: { count: 3_000 },
  }));

  const answer = await execute(tasks);

  expect(runOf(answer).status).toBe('completed');
  expect(textOf(answer).length).toBeLessThan(64_000);
  const { result } = runOf(answer).tasks['t7'] ?? {};
  const { result: handle } = result as { result: string };
  const page = await execute([{ tool: 'pml:read_result', args: { handle, offset: 7, limit: 9 } }]);
  expect(textOf(page)).toContain('äöü\nline');
});

test('client reads part of a kept result with a path', async () => {
  const kept = await execute([{ tool: 'a:rows', args: { count: 4_000 } }]);
  const { result: handle } = (kept.result?.['structuredContent'] ?? {}) as { result?: string };

  const args = { handle, path: 'rows[10:12].name' };
  const answer = await execute([{ tool: 'pml:read_result', args }]);

  expect(textOf(answer)).toBe('["row 10","row 11"]');
});

test('progress of a run counts its tasks', async () => {
  await execute(
    [
      { id: 'p', tool: 'a:progress' },
      { id: 'q', tool: 'b:echo', args: { text: 'x' }, needs: ['p'] },
    ],
    { progressToken: 'run' },
  );

  const reports = client.notifications
    .filter(({ params }) => params?.['progressToken'] === 'run')
    .map(({ params }) => params?.['message']);
  expect(reports).toEqual(['p: step 1', 'p: step 2', 'p: step 3', 'p completed', 'q completed']);
});

test('cancelling a run cancels the calls it made', async () => {
  const before = Number(textOf(await execute([{ tool: 'a:cancelled' }])));
  const tasks = [
    { id: 'w', tool: 'a:wait' },
    { id: 'v', tool: 'b:wait' },
  ];
  const params = { name: 'pml_execute_workflow', arguments: { tasks } };
  const begun = () =>
    client.notifications.filter(({ params: told }) => told?.['progressToken'] === 'stop').length;

  client.send({
    id: 'to-cancel',
    method: 'tools/call',
    params: { ...params, _meta: { progressToken: 'stop' } },
  });
  await expect.poll(begun).toBe(2);
  client.notify('notifications/cancelled', { requestId: 'to-cancel' });

  await expect
    .poll(async () => Number(textOf(await execute([{ tool: 'a:cancelled' }]))))
    .toBe(before + 1);
});

test('error names the wrong arguments of a meta-tool', async () => {
  const discover = await client.call('pml_discover', { intnet: 'x', limit: 0 });
  const workflow = await client.call('pml_execute_workflow', { stages: [] });

  expect(textOf(discover)).toMatch(/BAD_REQUEST.*limit.*intnet/s);
  expect(textOf(workflow)).toMatch(/PLAN_INVALID.*Unknown: stages.*"tasks"/s);
});

test('first call of a cold daemon cannot reach a tool that the configuration hides', async () => {
  await using cold = await Workspace.create(
    { mcpServers: { a: { ...talkative('legacy'), tools: { deny: ['echo'] } } } },
    { isNew: true },
  );
  const first = await cold.connect();

  const answer = await first.call('pml_execute_workflow', {
    tasks: [{ tool: 'a:echo', args: { text: 'hidden' } }],
  });

  expect(textOf(answer)).toMatch(/^\[TOOL_DENIED\]/);
});
