/**
 * A guess stays a guess, in whatever way the agent sends it back: unchanged, with one value changed, as
 * tasks that it adds to a run, or to a capability that changed in between.
 */
import { existsSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { GuessAgent, type GuessPlan } from '../helpers/guess-servers.js';

const MAIL = 'Look up Bob Stone and send him a mail with the subject "Hi" and the text "See you"';
const RELATION = 'create a relation from "Ann Lee" to "Bob Stone" of the type "knows"';

let agent: GuessAgent;

beforeAll(async () => {
  agent = await GuessAgent.connect({ config: { embedding: 'none' } });
});
afterAll(() => agent[Symbol.asyncDispose]());

/** The mail with the subject and the text that PML took from the request. */
async function mailTask(): Promise<GuessPlan['tasks'][number]> {
  const { tasks } = await agent.plan({ intent: MAIL });
  const send = tasks.find(({ tool }) => tool === 'mail:send_mail')!;
  expect(send.args).toMatchObject({ subject: 'Hi', body: 'See you' });
  return { id: send.id, tool: send.tool, args: { ...send.args, to: 'bob@example.org' } };
}

test('the run asks about the guess that stays when the agent changes another value', async () => {
  const { args, ...task } = await mailTask();

  const { status, asks } = await agent.run({
    intent: MAIL,
    tasks: [{ ...task, args: { ...args, subject: 'Hi ' } }],
  });

  expect(status).toBe('needs_approval');
  expect(asks).toMatchObject([{ why: expect.stringContaining('body = "See you"') as string }]);
  expect(agent.writes).toEqual([]);
});

test('a run asks about a shown task that the agent adds to it', async () => {
  const task = await mailTask();
  const held = await agent.run({ intent: MAIL, tasks: [task] });
  expect(held.status).toBe('needs_approval');

  const { status, asks = [] } = await agent.decide(held.run, 'inject', {
    tasks: [{ ...task, id: 'added' }],
  });

  expect(status).toBe('needs_approval');
  expect(asks.find((one) => one.task === 'added')?.why).toContain('body = "See you"');
  expect(agent.writes).toEqual([]);
});

test('the run asks about guesses inside lists that the agent sends back', async () => {
  const { tasks } = await agent.plan({ intent: RELATION });
  const writing = tasks.filter(({ tool }) => tool === 'memory:create_relations');
  expect(JSON.stringify(writing)).toContain('Ann Lee');

  const { status } = await agent.run({ intent: RELATION, tasks: writing });

  expect(status).toBe('needs_approval');
  expect(agent.writes).toEqual([]);
});

test('a task that was planned for other code of a capability does not run with its new example', async () => {
  const path = agent.file('lisbon.txt');
  const intent = `note the weather of Lisbon in ${path}`;
  const code = (content: string) => `
    const { city_id } = await mcp.travel.find_city({ name: 'Lisbon' });
    const { summary } = await mcp.travel.weather({ city_id });
    await mcp.filesystem.write_file({ path: '${path}', content: ${content} });
    return { summary };`;
  const capability = await agent.learn(intent, code('summary'));
  const vienna = agent.file('vienna.txt');
  const held = await agent.run({
    approve: 'per_layer',
    tasks: [
      { id: 'a', tool: 'travel:find_city', args: { name: 'Vienna' } },
      { id: 'k', tool: capability, args: { name: 'Vienna', path: vienna }, needs: ['a'] },
    ],
  });
  await agent.call('pml_execute_code', { intent, code: code("'Sunny in Lisbon, as ever'") });
  await expect
    .poll(async () => {
      const name = capability.replace('cap:', '');
      return (await agent.workspace.run('capabilities', 'show', name)).stdout;
    })
    .toContain('as ever');

  let answer = await agent.decide(held.run, 'approve');
  while (answer.status === 'needs_approval') answer = await agent.decide(held.run, 'approve');

  expect(existsSync(vienna)).toBe(false);
  expect(answer.status).toBe('failed');
  expect(JSON.stringify(answer)).toContain('changed after this task was planned');
});
