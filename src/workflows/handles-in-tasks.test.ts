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

  test('a task with a handle calls its tool with the stored value, unchanged', async () => {
    const { answer, tools } = await start((handle) => ({
      rows: { $result: handle, path: 'rows' },
    }));

    await answer;

    expect(tools.calls).toEqual([['fake:put', { rows }]]);
  });

  test('a task with a handle is validated with the stored value before any call', async () => {
    const { answer, tools } = await start((handle) => ({ rows: { $result: handle } }));

    await expect(answer).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' });
    expect(tools.calls).toEqual([]);
  });

  test('a workflow with an unknown handle does not start', async () => {
    const { answer, tools } = await start(() => ({ rows: { $result: 'r_nobody' } }));

    await expect(answer).rejects.toMatchObject({ code: 'RESULT_NOT_FOUND' });
    expect(tools.calls).toEqual([]);
  });
});
