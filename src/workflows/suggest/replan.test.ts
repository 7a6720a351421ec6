import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import type { RankedTool } from '../../ranking/index.js';
import type { Workflows } from '../workflows.js';
import { planRequirement } from './replan.js';

const MAIL = {
  name: 'find_mail',
  description: 'Finds a mail in the mailbox',
  inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
};

/** With the search as sure of its first hit as said. */
async function sure(probability: number): Promise<Workflows> {
  const { workflows } = await runWorkflows({ tools: [MAIL] });
  const { discovery } = workflows.tools;
  const weigh = discovery.weigh.bind(discovery);
  discovery.weigh = async (...asked) => {
    const prospects = await weigh(...asked);
    // The score itself is no probability, and may be anything.
    const tools = prospects.tools.map((tool): RankedTool => ({ ...tool, score: 9, probability }));
    return { ...prospects, tools };
  };
  return workflows;
}

test('a requirement no tool is likely to meet changes nothing and names the nearest', async () => {
  const workflows = await sure(0.31);

  await expect(
    planRequirement(workflows, 'find a mail', { hasContext: false }),
  ).rejects.toMatchObject({
    code: 'PLAN_INVALID',
    message: expect.stringMatching(/No tool clearly.*fake:find_mail \(0\.\d\d\)/) as string,
  });
});

test('a tool that is sure but lacks something is named with what it lacks', async () => {
  const workflows = await sure(0.9);

  await expect(
    planRequirement(workflows, 'find a mail', { hasContext: false }),
  ).rejects.toMatchObject({
    code: 'ARGUMENTS_INVALID',
    message: expect.stringMatching(/fake:find_mail seems to do.*args\.words is missing/s) as string,
  });
});

test('a clear requirement gives tasks, each with how likely it is and with what', async () => {
  const workflows = await sure(0.9);

  const { tasks, steps } = await planRequirement(workflows, 'find a mail with the words "lunch"', {
    hasContext: false,
  });

  expect(tasks).toMatchObject([{ tool: 'fake:find_mail', args: { words: 'lunch' } }]);
  expect(steps).toEqual([
    {
      task: tasks[0]?.id,
      tool: 'fake:find_mail',
      probability: expect.any(Number),
      args: { words: 'lunch' },
    },
  ]);
  expect(steps[0]?.probability).toBeGreaterThanOrEqual(0.5);
});
