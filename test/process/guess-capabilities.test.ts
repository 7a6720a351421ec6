/**
 * Capabilities in plans, new requirements and injected tasks, over servers that write: PML never
 * uses the example of a capability as a value, and writes nothing that the agent did not see.
 */
import { existsSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GuessAgent, type GuessPlan, isWriting } from '../helpers/guess-servers.js';

const CONFIG = { name: 'web', port: 8080 };
const FILES = { 'config.json': JSON.stringify(CONFIG), 'people.csv': 'name,city\nAnn,Lisbon\n' };

/** What an agent writes to note the weather and the cheap hotels of one city. */
const noteCode = (city: string, path: string) => `
  const { city_id, name } = await mcp.travel.find_city({ name: '${city}' });
  const { summary } = await mcp.travel.weather({ city_id });
  const { hotels } = await mcp.travel.find_hotels({ city_id, max_price: 100 });
  const content = name + ': ' + summary + '. Hotels: ' + hotels.map((one) => one.name).join(', ');
  await mcp.filesystem.write_file({ path: '${path}', content });
  return { content };`;

/** The same for several cities, fixed in a list. */
const listCode = (cities: readonly string[], path: string) => `
  const lines = [];
  for (const name of ${JSON.stringify(cities)}) {
    const { city_id } = await mcp.travel.find_city({ name });
    const { summary } = await mcp.travel.weather({ city_id });
    lines.push(name + ': ' + summary);
  }
  await mcp.filesystem.write_file({ path: '${path}', content: lines.join('\\n') });
  return { lines };`;

let agent: GuessAgent;

beforeAll(async () => {
  agent = await GuessAgent.connect({ files: FILES, config: { embedding: 'gte-small' } });
  const path = agent.file('lisbon.txt');
  const intent = `note the weather and cheap hotels of Lisbon in the file ${path}`;
  await agent.learn(intent, noteCode('Lisbon', path));
  await agent.remembered(1);
  await agent.modelLoaded();
});
afterAll(() => agent[Symbol.asyncDispose]());

/** Names of capabilities may have words of their example; values may not. */
const argsOf = ({ tasks }: GuessPlan) => JSON.stringify(tasks.map(({ args }) => args));
const toolsOf = ({ tasks }: GuessPlan) => tasks.map(({ tool }) => tool);
/** Parameters for the id of one thing that take the id of another. */
const mixedIds = ({ tool, args }: GuessPlan['tasks'][number]) =>
  Object.entries(args).flatMap(([param, value]) => {
    const from = (value as { readonly $ref?: string } | null)?.$ref;
    const isMixed = from !== undefined && param.endsWith('_id') && !from.endsWith(`.${param}`);
    return isMixed ? [`${tool}.${param} ← ${from}`] : [];
  });
const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** The calls that reached a server while `act` ran. */
const callsOf = async (act: () => Promise<unknown>) => {
  const before = agent.calls.length;
  await act();
  return agent.calls.slice(before);
};

describe('a capability that was learned with Lisbon', () => {
  test('capability learned with Lisbon is planned for Vienna with city and file of the request', async () => {
    const path = agent.file('vienna.txt');
    const intent = `note the weather and cheap hotels of Vienna in the file ${path}`;

    const plan = await agent.plan({ intent });

    expect(plan.holes ?? []).toEqual([]);
    expect(argsOf(plan)).toContain('Vienna');
    expect(argsOf(plan)).toContain(path);
    expect(argsOf(plan)).not.toContain('Lisbon');
  });

  test('capability asks before it writes values that PML filled in, and writes about Vienna only', async () => {
    const path = agent.file('vienna.txt');
    const intent = `note the weather and cheap hotels of Vienna in the file ${path}`;
    const { tasks } = await agent.plan({ intent });

    let answer = await agent.run({ intent, tasks });

    expect(answer.status).toBe('needs_approval');
    expect(existsSync(path)).toBe(false);
    while (answer.status === 'needs_approval') {
      expect(JSON.stringify(answer.asks?.map(({ args }) => args))).not.toContain('Lisbon');
      answer = await agent.decide(answer.run, 'approve');
    }
    expect(answer.status).toBe('completed');
    expect(readIfThere(path)).toContain('cloudy in Vienna');
    expect(readIfThere(path)).not.toContain('Lisbon');
  });

  test('capability gains no confidence from a plan that the agent rejected', async () => {
    const path = agent.file('prague.txt');
    const intent = `note the weather and cheap hotels of Prague in the file ${path}`;
    const before = await agent.plan({ intent });

    const asked = await agent.run({ intent, tasks: before.tasks });
    expect(asked.status).toBe('needs_approval');
    await agent.decide(asked.run, 'reject');

    expect((await agent.plan({ intent })).confidence).toBeLessThanOrEqual(before.confidence);
    expect(existsSync(path)).toBe(false);
  });

  test('capability is not planned with its example city if the request names no city', async () => {
    const path = agent.file('somewhere.txt');
    const plan = await agent.plan({
      intent: `note the weather and cheap hotels of the city in the file ${path}`,
    });

    expect(argsOf(plan)).not.toContain('Lisbon');
    expect(plan.holes).not.toEqual([]);
    expect(JSON.stringify(plan.holes)).toContain('Lisbon');
  });

  test.each([
    ['How is the weather in Paris?', 'travel:weather'],
    ['what is the weather in Paris', 'travel:weather'],
    ['cheap hotels of Paris', 'travel:find_hotels'],
  ])('capability does not serve a question that needs only reading: %s', async (intent, tool) => {
    const plan = await agent.plan({ intent });

    expect(toolsOf(plan)).toEqual(['travel:find_city', tool]);
    expect(plan.tasks[0]?.args).toEqual({ name: 'Paris' });
    expect(plan.tasks[1]?.args).toMatchObject({ city_id: { $ref: 'find_city.city_id' } });
  });

  test('capability does not serve a booking, and no id of one thing becomes the id of another', async () => {
    const intent = 'book me a hotel in Porto';
    const plan = await agent.plan({ intent });

    const book = plan.tasks.find(({ tool }) => tool === 'travel:book_hotel');
    expect(book).toBeDefined();
    expect(toolsOf(plan).filter((tool) => tool.startsWith('cap:'))).toEqual([]);
    expect(argsOf(plan)).not.toContain('Lisbon');
    expect(plan.tasks.flatMap(mixedIds)).toEqual([]);
    // The request names neither a duration nor a guest.
    const open = plan.holes?.map(({ param }) => param) ?? [];
    expect(open).toEqual(expect.arrayContaining(['nights', 'guest']));
    const calls = await callsOf(() => agent.run({ intent, tasks: plan.tasks }));
    expect(calls.filter(isWriting)).toEqual([]);
  });

  test('capability with cities in a list takes the list as a parameter', async () => {
    const path = agent.file('south.txt');
    const intent = `write the weather of Lisbon and Rome into the file ${path}`;
    const name = await agent.learn(intent, listCode(['Lisbon', 'Rome'], path));
    const { stdout } = await agent.workspace.run(
      'capabilities',
      'show',
      name.replace('cap:', ''),
      '--json',
    );
    const { parameters } = JSON.parse(stdout) as { parameters: unknown };
    expect(JSON.stringify(parameters)).toMatch(/"(default|examples)":\[+"Lisbon","Rome"\]/);

    const north = agent.file('north.txt');
    const asked = `write the weather of Oslo and Berlin into the file ${north}`;
    const plan = await agent.plan({ intent: asked });

    expect(argsOf(plan)).not.toMatch(/Lisbon|Rome/);
    const calls = await callsOf(() => agent.run({ intent: asked, tasks: plan.tasks }));
    expect(JSON.stringify(calls)).not.toMatch(/Lisbon|Rome/);
    expect(calls.filter(isWriting)).toEqual([]);
  });
});

describe('a run that waits', () => {
  /** The run has read a table and asks before it makes a folder. */
  const begun = async () => {
    const tasks = [
      { id: 'csv', tool: 'filesystem:read_text_file', args: { path: agent.file('people.csv') } },
      {
        id: 'hold',
        tool: 'filesystem:create_directory',
        args: { path: agent.file('needs_approval') },
        needs: ['csv'],
      },
    ];
    const answer = await agent.run({ tasks, approve: 'per_layer' });
    expect(answer).toMatchObject({ status: 'needs_approval', tasks: { csv: {} } });
    return answer.run;
  };

  test('waiting run gives an added parser the new file, not the table it has read', async () => {
    const run = await begun();
    const path = agent.file('config.json');

    const { status, found = [] } = await agent.decide(run, 'replan', {
      requirement: `also parse the JSON of ${path}`,
    });

    const read = found.find(({ tool }) => tool === 'filesystem:read_text_file');
    const parse = found.find(({ tool }) => tool === 'json:parse');
    expect([status, ...found.map(({ tool }) => tool).toSorted()]).toEqual([
      'needs_approval',
      'filesystem:read_text_file',
      'json:parse',
    ]);
    expect(read?.args).toEqual({ path });
    expect(parse?.args).toEqual({ jsonString: { $ref: `${read?.task}.content` } });
    let answer = await agent.decide(run, 'approve');
    while (answer.status === 'needs_approval') answer = await agent.decide(run, 'approve');
    expect(answer.tasks?.[parse!.task]).toMatchObject({ result: { parsed: CONFIG } });
  });

  test('waiting run answers a question with read-only tools, for the named city', async () => {
    const run = await begun();

    const calls = await callsOf(async () => {
      const { found = [] } = await agent.decide(run, 'replan', {
        requirement: 'what is the weather in Rome',
      });
      expect(found.map(({ tool }) => tool).toSorted()).toEqual([
        'travel:find_city',
        'travel:weather',
      ]);
      let answer = await agent.decide(run, 'approve');
      while (answer.status === 'needs_approval') answer = await agent.decide(run, 'approve');
    });

    expect(JSON.stringify(calls)).toContain('Rome');
    expect(JSON.stringify(calls)).not.toContain('Lisbon');
    expect(calls.filter(isWriting).map(({ tool }) => tool)).toEqual([
      'filesystem:create_directory',
    ]);
  });

  test('waiting run asks before an injected task that writes', async () => {
    const run = await begun();
    const args = { hotel_id: 'H-2041', nights: 2, guest: 'Ann Lee' };
    const more = { id: 'more', tool: 'travel:book_hotel', args };

    const calls = await callsOf(async () => {
      const asked = await agent.decide(run, 'inject', { tasks: [more] });

      expect(asked.status).toBe('needs_approval');
      expect(asked.asks).toContainEqual(expect.objectContaining({ task: 'more', args }));
    });
    expect(calls).toEqual([]);

    await agent.decide(run, 'approve', { tasks: ['more'] });
    expect(agent.writes.at(-1)).toEqual({ tool: 'travel:book_hotel', args });
  });
});
