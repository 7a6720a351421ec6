import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { serveWorkflow } from '../serve-workflow.js';
import { planRequirement } from './replan.js';

const TOOLS = [
  { name: 'find_mail', description: 'Find mails', inputSchema: { type: 'object' } },
  {
    name: 'list_events',
    description: 'List events of a calendar',
    inputSchema: { type: 'object' },
  },
];

async function storedGateway() {
  const made = await runWorkflows({ tools: TOOLS });
  const stores = memoryStores();
  await made.discovery.attach(stores);
  return { ...made, stores };
}

test('a suggested plan is recorded with what spoke for it, and with what its client made of it', async () => {
  const { workflows, discovery } = await storedGateway();
  const { context } = fakeClient('a');
  const answer = await serveWorkflow(workflows, { intent: 'find mails' }, context);
  const { tasks, confidence, mode } = answer.structuredContent as {
    readonly tasks: readonly { readonly tool: string }[];
    readonly confidence: number;
    readonly mode: string;
  };

  await serveWorkflow(workflows, { tasks: tasks.map(({ tool }) => ({ tool })) }, context);

  await expect
    .poll(() => discovery.decisions({ limit: 1, judged: true }))
    .toMatchObject([
      {
        algorithm: 'suggest',
        intent: 'find mails',
        model: expect.stringMatching(/^plan-default-/),
        weights: { rejected: expect.any(Number) },
        shown: tasks.length,
        verdict: { confidence: expect.closeTo(confidence, 1), threshold: 0.7, mode },
        outcome: { place: 1, ok: true, match: 'exact', run: 'run_1' },
      },
    ]);
  const [decision] = (await discovery.decisions({ limit: 1 })) ?? [];
  expect(decision?.candidates[0]).toMatchObject({
    tool: 'fake:find_mail',
    signals: { bias: 1, first: 1 },
  });
});

test('a run that says nothing of its intent has that of the plan it follows', async () => {
  const { workflows, discovery } = await storedGateway();
  const { context } = fakeClient('a');
  await serveWorkflow(workflows, { intent: 'find mails' }, context);

  await serveWorkflow(workflows, { tasks: [{ tool: 'fake:find_mail' }] }, context);

  await expect.poll(() => discovery.recall('run_1')).toMatchObject({ intent: 'find mails' });
});

test('what is taken for the next step of a run is recorded, whether it is clear or not', async () => {
  const { workflows, discovery } = await storedGateway();
  const { context } = fakeClient('a');
  await serveWorkflow(workflows, { tasks: [{ tool: 'fake:read_a' }], intent: 'look' }, context);
  const { state } = await workflows.runs.find('run_1' as never);

  await planRequirement(workflows, 'find mails', { run: state, hasContext: false }).catch(() => {});

  expect(await discovery.decisions({ limit: 1 })).toMatchObject([
    {
      algorithm: 'next',
      intent: 'look. find mails',
      candidates: [{ tool: 'fake:find_mail' }],
      verdict: { threshold: 0.5 },
    },
  ]);
});
