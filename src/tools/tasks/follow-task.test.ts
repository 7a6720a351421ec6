import { expect, test } from 'vitest';

import { type JsonObject, PmlError, type RemoteTask } from '../../core/index.js';
import { RpcError } from '../../rpc/index.js';
import { followTask, type FollowOptions } from './follow-task.js';

const remote: RemoteTask = { id: 't1', era: 'modern' };
const result = { content: [{ type: 'text', text: 'done' }] };
const working = { status: 'working', pollIntervalMs: 0 };

/** Answers `tasks/get` with one report after the other; the last one stays. */
function server(...reports: (JsonObject | Error)[]) {
  const sent: [string, JsonObject][] = [];
  const request = async (method: string, params: JsonObject): Promise<JsonObject> => {
    sent.push([method, params]);
    if (method === 'tasks/result') return result;
    if (method !== 'tasks/get') return {};
    const report = reports.length > 1 ? reports.shift() : reports[0];
    if (report instanceof Error) throw report;
    return report ?? {};
  };
  const options: FollowOptions = {
    request,
    ask: async () => ({ action: 'accept', content: { ok: true } }),
    signal: new AbortController().signal,
    onProgress: undefined,
  };
  const methods = () => sent.map(([method]) => method);
  return { sent, options, methods };
}

test('followTask asks again until the task is completed, and tells what the server says', async () => {
  const { options, methods } = server(
    { ...working, statusMessage: 'half' },
    { status: 'completed', result },
  );
  const told: unknown[] = [];

  const got = await followTask(remote, { ...options, onProgress: (one) => told.push(one.message) });

  expect(got).toEqual(result);
  expect(methods()).toEqual(['tasks/get', 'tasks/get']);
  expect(told).toEqual(['half', 'its task is completed']);
});

test('followTask asks the client once for each question, and sends the answers', async () => {
  const inputRequests = { a: { method: 'elicitation/create', params: { message: '?' } } };
  const asking = { status: 'input_required', pollIntervalMs: 0, inputRequests };
  const { options, sent } = server(asking, asking, { status: 'completed', result });

  await followTask(remote, options);

  const updates = sent.filter(([method]) => method === 'tasks/update');
  const a = { action: 'accept', content: { ok: true } };
  expect(updates).toEqual([['tasks/update', { taskId: 't1', inputResponses: { a } }]]);
});

test('followTask goes on asking for the task while no client can answer its question', async () => {
  const inputRequests = { a: { method: 'elicitation/create' } };
  const asking = { status: 'input_required', pollIntervalMs: 0, inputRequests };
  const { options, methods } = server(asking, { status: 'completed', result });
  const ask = () => Promise.reject(new PmlError('TOOL_DENIED', 'no client'));

  await expect(followTask(remote, { ...options, ask })).resolves.toEqual(result);
  expect(methods()).not.toContain('tasks/update');
});

test('followTask cancels a task that the client cannot answer at all', async () => {
  const inputRequests = { a: { method: 'elicitation/create' } };
  const { options, methods } = server({ status: 'input_required', inputRequests });
  const ask = () => Promise.reject(new RpcError(-32021, 'no elicitation'));

  await expect(followTask(remote, { ...options, ask })).rejects.toMatchObject({ code: -32021 });
  expect(methods()).toContain('tasks/cancel');
});

test.each([
  [{ status: 'failed', error: { code: -32603, message: 'broke' } }, { code: -32603 }],
  [{ status: 'cancelled' }, { code: 'CALL_CANCELLED' }],
  [{ status: 'completed' }, { code: 'SERVER_PROTOCOL_ERROR' }],
  [{ status: 'strange' }, { code: 'SERVER_PROTOCOL_ERROR' }],
])('followTask rejects when the server reports %j', async (report, error) => {
  await expect(followTask(remote, server(report).options)).rejects.toMatchObject(error);
});

test('followTask puts a task in doubt that its server no longer has', async () => {
  const { options } = server(new RpcError(-32602, 'Task not found'));

  await expect(followTask(remote, options)).rejects.toMatchObject({ code: 'SERVER_CRASHED' });
});

test('followTask asks again when the server was out of reach for a moment', async () => {
  const lost = new PmlError('SERVER_CRASHED', 'gone');
  const { options, methods } = server(lost, { status: 'completed', result });

  await expect(followTask(remote, options)).resolves.toEqual(result);
  expect(methods()).toEqual(['tasks/get', 'tasks/get']);
});

test.each([
  [new PmlError('CALL_CANCELLED', 'the run was aborted'), true],
  [new PmlError('DAEMON_UNREACHABLE', 'The daemon is stopping'), false],
])('followTask cancels the task unless only the daemon ends: %s', async (reason, isCancelled) => {
  const { options, methods } = server({ status: 'working', pollIntervalMs: 60_000 });
  const stop = new AbortController();
  const following = followTask(remote, { ...options, signal: stop.signal });
  await expect.poll(() => methods().length).toBe(1);

  stop.abort(reason);

  await expect(following).rejects.toBeDefined();
  expect(methods().includes('tasks/cancel')).toBe(isCancelled);
});

test('followTask gets the result of a task of the older form with a request of its own', async () => {
  const { options, methods } = server(working, { status: 'completed' });

  await expect(followTask({ id: 't1', era: 'legacy' }, options)).resolves.toEqual(result);
  expect(methods()).toEqual(['tasks/get', 'tasks/get', 'tasks/result']);
});
