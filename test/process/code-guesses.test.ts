/**
 * Code that calls a capability and leaves out what it takes: PML fills in the example the capability
 * was learned from, and treats it as the guess it is.
 */
import { existsSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { GuessAgent, type GuessRun } from '../helpers/guess-servers.js';

interface Shown {
  readonly tasks: readonly { readonly tool: string; readonly filled?: readonly object[] }[];
}

/** What an agent writes to note the weather of one city. */
const noteCode = (city: string, path: string) => `
  const { city_id } = await mcp.travel.find_city({ name: '${city}' });
  const { summary } = await mcp.travel.weather({ city_id });
  await mcp.filesystem.write_file({ path: '${path}', content: summary });
  return { summary };`;

const lookCode = (city: string) => `
  const { city_id } = await mcp.travel.find_city({ name: '${city}' });
  const { summary } = await mcp.travel.weather({ city_id });
  return { summary };`;

let agent: GuessAgent;
/** A capability that writes, and one that only reads; both were learned with Lisbon. */
let note: string;
let look: string;

const script = async (code: string, intent?: string) => {
  const { value } = await agent.call('pml_execute_code', { code, ...(intent && { intent }) });
  return value as unknown as GuessRun & { readonly result?: unknown; readonly error?: object };
};
const call = (tool: string, args: object = {}) =>
  `return await cap.${tool.replace('cap:', '')}(${JSON.stringify(args)})`;
const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

beforeAll(async () => {
  agent = await GuessAgent.connect({
    servers: ['travel', 'filesystem'],
    config: { embedding: 'none' },
  });
  const path = agent.file('lisbon.txt');
  note = await agent.learn(`note the weather of Lisbon in ${path}`, noteCode('Lisbon', path));
  look = await agent.learn('tell how the weather of Lisbon is', lookCode('Lisbon'));
});
afterAll(() => agent[Symbol.asyncDispose]());

test('a script stops before a capability writes with the example it was learned from', async () => {
  const path = agent.file('vienna.txt');
  const before = agent.calls.length;

  const asked = await script(call(note, { path }));

  expect(asked).toMatchObject({
    status: 'needs_approval',
    asks: [
      {
        tool: note,
        args: { name: 'Lisbon', path },
        why: expect.stringMatching(
          /^PML filled in .*name = "Lisbon" \(lifted default, 0\.50: .+\)/,
        ),
      },
    ],
  });
  expect(agent.calls).toHaveLength(before);

  const done = await agent.decide(asked.run, 'approve');

  expect(done).toMatchObject({
    status: 'completed',
    filled: [`${note}.name = "Lisbon" (lifted default, 0.50, approved)`],
  });
  expect(readIfThere(path)).toContain('Lisbon');
});

test('a script that gives everything a capability takes is not stopped', async () => {
  const path = agent.file('vienna.txt');

  const done = await script(call(note, { name: 'Vienna', path }));

  expect(done).toMatchObject({ status: 'completed' });
  expect(done).not.toHaveProperty('filled');
  expect(readIfThere(path)).toContain('Vienna');
});

test('a script whose call was rejected gets an error, and nothing is written', async () => {
  const path = agent.file('prague.txt');
  const asked = await script(call(note, { path }));

  const ended = await agent.decide(asked.run, 'reject');

  expect(ended).toMatchObject({ status: 'rejected', error: { code: 'CODE_FAILED' } });
  expect(existsSync(path)).toBe(false);
});

test('a capability that only reads runs with its example, which answer and show name', async () => {
  const done = await script(call(look));

  expect(done).toMatchObject({
    status: 'completed',
    result: { summary: expect.stringContaining('Lisbon') },
    filled: [`${look}.name = "Lisbon" (lifted default, 0.50)`],
  });
  const { stdout } = await agent.workspace.run('show', done.run, '--json');
  const { tasks } = JSON.parse(stdout) as Shown;
  expect(tasks.find(({ tool }) => tool === look)?.filled).toMatchObject([
    { param: 'name', source: 'lifted default' },
  ]);
});

test('no capability is learned from code that left the city to an example', async () => {
  const known = await agent.capabilities();
  const code = `const { summary } = await cap.${look.replace('cap:', '')}({});
    const { city_id } = await mcp.travel.find_city({ name: 'Vienna' });
    return { summary, city_id };`;

  const done = await script(code, 'tell the weather and the id of Vienna');

  expect(done).toMatchObject({ status: 'completed' });
  expect(await agent.capabilities()).toEqual(known);
});
