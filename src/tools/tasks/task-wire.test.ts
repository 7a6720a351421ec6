import { expect, test } from 'vitest';

import { serverName } from '../../core/index.js';
import { exposedTask, parseExposedTask } from './exposed-task.js';
import { isTaskOnly, remoteTaskIn, takesTaskCalls } from './task-wire.js';

test.each([
  [
    { resultType: 'task', taskId: 't', status: 'working' },
    { id: 't', era: 'modern' },
  ],
  [{ task: { taskId: 't', status: 'working' } }, { id: 't', era: 'legacy' }],
  [{ content: [], task: { taskId: 't' } }, undefined],
  [{ resultType: 'task' }, undefined],
  [{ content: [] }, undefined],
])('remoteTaskIn reads the handle in %j', (result, remote) => {
  expect(remoteTaskIn(result)).toEqual(remote);
});

test('takesTaskCalls and isTaskOnly read what servers of 2025-11-25 declare', () => {
  expect(takesTaskCalls({ tasks: { requests: { tools: { call: {} } } } })).toBe(true);
  expect(takesTaskCalls({ tasks: { list: {} } })).toBe(false);
  expect(isTaskOnly({ taskSupport: 'required' })).toBe(true);
  expect(isTaskOnly({ taskSupport: 'optional' })).toBe(false);
  expect(isTaskOnly(undefined)).toBe(false);
});

test('exposedTask names the server, and parseExposedTask finds it again', () => {
  const id = exposedTask(serverName('shop.eu'), 'a:b.c');

  expect(parseExposedTask(id)).toEqual({ server: 'shop.eu', id: 'a:b.c' });
  expect(parseExposedTask('run_x.12')).toBeUndefined();
  expect(parseExposedTask(':x')).toBeUndefined();
  expect(parseExposedTask('pml:x')).toBeUndefined();
});
