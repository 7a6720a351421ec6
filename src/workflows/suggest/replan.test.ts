import { describe, expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { text } from '../../../test/helpers/fake-tools.js';
import { task } from '../../../test/helpers/run-parts.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import type { JsonObject, RunState } from '../../core/index.js';
import type { RankedTool } from '../../ranking/index.js';
import type { Workflows } from '../workflows.js';
import { planRequirement } from './replan.js';

const object = (...required: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(required.map((name) => [name, { type: 'string' }])),
  required,
});

const MAIL = {
  name: 'find_mail',
  description: 'Finds a mail in the mailbox',
  inputSchema: object('words'),
  annotations: { readOnlyHint: true },
};
const SEND = {
  name: 'send_words',
  description: 'Sends words to the weather station',
  inputSchema: object('words'),
};

/** Workflows whose search finds these tools with these probabilities, and no others. */
async function sure(
  chances: Readonly<Record<string, number>>,
  tools: readonly JsonObject[] = [MAIL],
): Promise<Workflows> {
  const { workflows } = await runWorkflows({ tools });
  const { discovery } = workflows.tools;
  const weigh = discovery.weigh.bind(discovery);
  discovery.weigh = async (...asked) => {
    const prospects = await weigh(...asked);
    const found = discovery.index.matchPattern('*:*').flatMap((tool): RankedTool[] => {
      const probability = chances[tool.id.slice('fake:'.length)];
      const like = prospects.tools[0];
      // The score itself is no probability and may be any number.
      return probability === undefined || !like ? [] : [{ ...like, tool, score: 9, probability }];
    });
    return { ...prospects, tools: found };
  };
  return workflows;
}

/** A run that has called these tools. */
async function after(...tasks: Parameters<typeof idleRun>[0]): Promise<RunState> {
  const answers = { read_file: text('{"content":"a,b"}') };
  return (await idleRun(tasks, { answers })).live.state;
}

const planned = async (workflows: Workflows, requirement: string, run?: RunState) =>
  planRequirement(workflows, requirement, { hasContext: false, run: run ?? (await after()) });

describe('a requirement', () => {
  test('a requirement that no tool clearly meets changes nothing, and the error names the nearest tools', async () => {
    const workflows = await sure({ find_mail: 0.31 });

    await expect(planned(workflows, 'find a mail')).rejects.toMatchObject({
      code: 'PLAN_INVALID',
      message: expect.stringMatching(/No tool clearly.*fake:find_mail \(0\.\d\d\)/) as string,
    });
  });

  test('a requirement whose tool lacks an argument gets an error that names the argument', async () => {
    const workflows = await sure({ find_mail: 0.9 });

    await expect(planned(workflows, 'find a mail')).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      message: expect.stringMatching(/find_mail seems to do.*args\.words is missing/s) as string,
    });
  });

  test('a requirement that is clear gives tasks, each with its probability and its arguments', async () => {
    const workflows = await sure({ find_mail: 0.9 });

    const { tasks, steps } = await planned(workflows, 'find a mail with the words "lunch"');

    expect(tasks).toMatchObject([
      {
        tool: 'fake:find_mail',
        args: { words: 'lunch' },
        guessed: { words: { source: 'literal' } },
      },
    ]);
    expect(steps).toEqual([
      {
        task: tasks[0]?.id,
        tool: 'fake:find_mail',
        probability: expect.any(Number) as number,
        args: { words: 'lunch' },
      },
    ]);
    expect(steps[0]?.probability).toBeGreaterThanOrEqual(0.5);
  });

  test('a requirement that the run has already met is refused', async () => {
    const workflows = await sure({ find_mail: 0.9 });
    const run = await after(task('mine', [], { tool: 'find_mail', args: { words: 'lunch' } }));

    await expect(
      planned(workflows, 'find a mail with the words "lunch"', run),
    ).rejects.toMatchObject({
      code: 'PLAN_INVALID',
      message: expect.stringContaining('already done') as string,
    });
  });

  test('a requirement for a tool that the run has called gets a task with a new id', async () => {
    const workflows = await sure({ find_mail: 0.9 });
    const run = await after(task('find_mail', [], { args: { words: 'lunch' } }));

    const { tasks } = await planned(workflows, 'find a mail with the words "dinner"', run);

    expect(tasks).toMatchObject([{ id: 'find_mail_2', args: { words: 'dinner' } }]);
  });

  test('a requirement that is a question gets no tool that may change something', async () => {
    const workflows = await sure({ send_words: 0.9 }, [SEND]);

    await expect(planned(workflows, 'what is the "weather"?')).rejects.toMatchObject({
      message: expect.stringContaining('No tool clearly does') as string,
    });
    for (const wanted of [
      'send the words "weather"',
      'what is it? look and send the words "weather"',
    ]) {
      const { tasks } = await planned(workflows, wanted);
      expect(tasks).toMatchObject([{ tool: 'fake:send_words', args: { words: 'weather' } }]);
    }
  });
});
