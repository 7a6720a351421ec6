import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../test/helpers/fake-client.js';
import { runWorkflows } from '../../test/helpers/run-workflows.js';
import type { Task } from '../core/index.js';
import { serveWorkflow } from './serve-workflow.js';

const rows = Array.from({ length: 50 }, (_, id) => ({ id, name: `row ${id}`, note: '${a.x}' }));

describe('a workflow with a handle in its arguments', () => {
  const put = {
    name: 'put',
    inputSchema: { type: 'object', properties: { rows: { type: 'array' } }, required: ['rows'] },
    annotations: { readOnlyHint: true },
  };

  async function start(argsOf: (handle: string) => Task['args']) {
    const set = await runWorkflows({ tools: [put] });
    const text = JSON.stringify({ rows });
    const handle = set.workflows.results.keep({ text, mimeType: 'application/json' });
    const tasks = [{ id: 'a', tool: 'fake:put', args: argsOf(handle) }];
    return { ...set, answer: serveWorkflow(set.workflows, { tasks }, fakeClient('one').context) };
  }

  test('calls with the value, in which nothing is filled in', async () => {
    const { answer, tools } = await start((handle) => ({
      rows: { $result: handle, path: 'rows' },
    }));

    await answer;

    expect(tools.calls).toEqual([['fake:put', { rows }]]);
  });

  test('is checked with the value before anything runs', async () => {
    const { answer, tools } = await start((handle) => ({ rows: { $result: handle } }));

    await expect(answer).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' });
    expect(tools.calls).toEqual([]);
  });

  test('with a handle that leads nowhere does not begin', async () => {
    const { answer, tools } = await start(() => ({ rows: { $result: 'r_nobody' } }));

    await expect(answer).rejects.toMatchObject({ code: 'RESULT_NOT_FOUND' });
    expect(tools.calls).toEqual([]);
  });
});
