import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { serveContinue } from '../serve-continue.js';
import { serveWorkflow } from '../serve-workflow.js';

/** What is remembered of the runs of a gateway. */
async function remembering() {
  const parts = await runWorkflows();
  const told: unknown[] = [];
  const executed = parts.workflows.executed.bind(parts.workflows);
  parts.workflows.executed = (...execution) => {
    told.push(execution[1]);
    executed(...execution);
  };
  return { ...parts, told };
}

test('a run is remembered once, with its calls and what was decided', async () => {
  const { workflows, told } = await remembering();
  const { context } = fakeClient('a');
  const tasks = [{ id: 't', tool: 'fake:delete_a' }];

  await serveWorkflow(workflows, { intent: 'clean up', tasks }, context);
  await serveContinue(workflows, { run: 'run_1', decision: 'approve' }, context);
  await expect.poll(() => told.length).toBe(1);

  expect(told[0]).toMatchObject({
    run: 'run_1',
    intent: 'clean up',
    ok: true,
    calls: [{ tool: 'fake:delete_a', ok: true }],
    decisions: [{ by: 'agent', kind: 'approve', tools: ['fake:delete_a'] }],
  });
});

test('a run that was rejected before it called anything is remembered as well', async () => {
  const { workflows, told } = await remembering();
  const { context } = fakeClient('a');

  await serveWorkflow(workflows, { tasks: [{ id: 't', tool: 'fake:delete_a' }] }, context);
  await serveContinue(workflows, { run: 'run_1', decision: 'reject' }, context);
  await expect.poll(() => told.length).toBe(1);

  expect(told[0]).toMatchObject({ run: 'run_1', ok: false, calls: [], decisions: [{}] });
});

test('reading a kept result is not remembered', async () => {
  const { workflows, told } = await remembering();
  const handle = workflows.results.keep({ text: 'long', mimeType: 'text/plain' });
  const tasks = [{ tool: 'pml:read_result', args: { handle } }];

  await serveWorkflow(workflows, { tasks }, fakeClient('a').context);
  await serveWorkflow(workflows, { tasks: [{ tool: 'fake:read_a' }] }, fakeClient('a').context);
  await expect.poll(() => told.length).toBe(1);

  expect(told[0]).toMatchObject({ run: 'run_2' });
});
