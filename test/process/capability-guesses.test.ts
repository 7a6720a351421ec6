/**
 * A capability learned for one city, with requests for other cities: the values of a request go
 * into its parameters, other parameters stay open, and a request that it does not serve gets a plan
 * without it.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface Suggested {
  readonly tasks: readonly { readonly id: string; readonly tool: string; readonly args: Json }[];
  readonly holes: readonly {
    readonly task: string;
    readonly param: string;
    readonly hint?: string;
  }[];
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

let workspace: Workspace;
let client: Awaited<ReturnType<typeof connectSdk>>;
let folder: string;
let capability: string;

const file = (name: string) => join(folder, name);
const workflow = (args: Json) => client.callTool({ name: 'pml_execute_workflow', arguments: args });
const suggested = async (intent: string): Promise<Suggested> => {
  return JSON.parse(resultText(await workflow({ intent, detail: 'full' }))) as Suggested;
};
/** Runs a plan as PML suggested it. The agent approves the values that PML filled in. */
const runApproved = async (args: Json) => {
  const { status, run } = (await workflow(args)).structuredContent as Json;
  expect(status).toBe('needs_approval');
  await client.callTool({ name: 'pml_continue', arguments: { run, decision: 'approve' } });
};
const toolsOf = ({ tasks }: Suggested) => tasks.map(({ tool }) => tool);
const writes = (tool: string) => /write|edit|create|move|book/.test(tool) || tool === capability;
const expectRemembered = async (count: number) => {
  const search = async () => (await workspace.status()).search;
  await expect.poll(search, { timeout: 90_000 }).toMatchObject({ remembered: count, waiting: 0 });
};

/** What an agent writes to note what a city is like. */
const codeFor = (city: string, to: string) => `
  const { summary } = await mcp.city.get_weather({ city: '${city}' });
  const { hotels } = await mcp.city.find_hotels({ city: '${city}', limit: 2 });
  const names = hotels.map(({ hotel }) => hotel).join(', ');
  await mcp.files.write_file({ path: '${to}', content: \`${city}: \${summary}. Hotels: \${names}\` });
  return { summary, names };`;

/** The city never changes, so only the requests' words show that it is a parameter. */
const LEARNED: Readonly<Record<string, (to: string) => string>> = {
  'lisbon.txt': (to) => `note the weather and cheap hotels of Lisbon in the file ${to}`,
  'trip.txt': (to) => `write down weather and hotels of Lisbon into ${to}`,
  'facts.txt': (to) => `save what the weather in Lisbon is like, with cheap hotels, to ${to}`,
};

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  folder = join(workspace.path, 'notes');
  mkdirSync(folder);
  const files = '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
  workspace.configure({
    embedding: 'gte-small',
    workflows: { approve: 'never' },
    permissions: { allow: ['*'] },
    mcpServers: {
      city: { command: process.execPath, args: [path('../fixtures/servers/city-server.mjs')] },
      files: { command: process.execPath, args: [path(files), folder] },
    },
  });
  client = await connectSdk(workspace);
});

afterAll(async () => {
  await client.close();
  await workspace[Symbol.asyncDispose]();
});

test('code that worked three times for one city becomes one capability', async () => {
  for (const [name, intentFor] of Object.entries(LEARNED)) {
    const ran = await client.callTool({
      name: 'pml_execute_code',
      arguments: { code: codeFor('Lisbon', file(name)), intent: intentFor(file(name)) },
    });
    expect(ran.structuredContent).toMatchObject({ status: 'completed' });
  }
  await expectRemembered(3);
  const listed = await workspace.run('capabilities', 'list', '--json');
  const { capabilities } = JSON.parse(listed.stdout) as { capabilities: { name: string }[] };
  expect(capabilities).toHaveLength(1);
  capability = `cap:${capabilities[0]!.name}`;
});

describe('a capability that was learned for Lisbon', () => {
  test('capability for Lisbon gets city and file from the words of a request for Vienna', async () => {
    const to = file('vienna.txt');
    const intent = `note the weather and cheap hotels of Vienna in the file ${to}`;

    const answer = await suggested(intent);

    expect(answer.tasks).toMatchObject([
      { tool: capability, args: { city: 'Vienna', path: to, limit: 2 } },
    ]);
    expect(answer.holes).toEqual([]);
    await runApproved({ intent, tasks: answer.tasks });
    expect(readFileSync(to, 'utf8')).toMatch(/^Vienna: sunny in Vienna\. Hotels: Vienna Inn 1/);
  });

  test('capability leaves the city open and shows the example if the request names no city', async () => {
    const answer = await suggested(
      `note the weather and the cheap hotels in the file ${file('there.txt')}`,
    );

    expect(answer.tasks).toMatchObject([{ tool: capability, args: { path: file('there.txt') } }]);
    expect(answer.tasks[0]?.args).not.toHaveProperty('city');
    expect(answer.holes).toMatchObject([
      { param: 'city', hint: expect.stringContaining('learned with "Lisbon"') as string },
    ]);
  });

  test('capability that writes does not serve a question', async () => {
    const answer = await suggested('How is the weather in Paris?');

    expect(toolsOf(answer).filter(writes)).toEqual([]);
    expect(answer.tasks).toContainEqual(
      expect.objectContaining({ tool: 'city:get_weather', args: { city: 'Paris' } }),
    );
  });

  test('capability does not serve a booking, and no city id fills a hotel id', async () => {
    const answer = await suggested('book me a hotel in Porto');

    expect(toolsOf(answer)).toContain('city:book_hotel');
    expect(toolsOf(answer)).not.toContain(capability);
    const booking = answer.tasks.find(({ tool }) => tool === 'city:book_hotel');
    expect(JSON.stringify(booking?.args['hotel_id'] ?? null)).not.toContain('city_id');
    expect(answer.holes.map(({ param }) => param)).toContain('nights');
  });

  test('capability is replaced by its tools if the request names more values than it takes', async () => {
    const to = file('two.txt');

    const answer = await suggested(`save the weather of Vienna and Graz to ${to}`);

    expect(toolsOf(answer)).not.toContain(capability);
    expect(toolsOf(answer)).toEqual(
      expect.arrayContaining(['city:get_weather', 'files:write_file']),
    );
    expect(JSON.stringify(answer.tasks)).not.toContain('Lisbon');
    expect(new Set(answer.holes.map(({ param }) => param))).toEqual(new Set(['city']));
  });

  test('capability with a numeric parameter gets the number of the request', async () => {
    const answer = await suggested(
      `write down the weather and the 5 cheapest hotels of Oslo into ${file('oslo.txt')}`,
    );

    expect(answer.tasks).toMatchObject([
      { tool: capability, args: { city: 'Oslo', limit: 5, path: file('oslo.txt') } },
    ]);
  });

  test.each(['How is the weather in Paris?', 'what hotels are there in Rome'])(
    'plan for a question has no capability and no tool that writes: %s',
    async (intent) => {
      expect(toolsOf(await suggested(intent)).filter(writes)).toEqual([]);
    },
  );

  test('capability is not in the plan if the request asks for a change that it never made', async () => {
    const answer = await suggested(
      `send the weather and cheap hotels of Vienna to ann@example.com`,
    );

    expect(toolsOf(answer)).not.toContain(capability);
  });
});

describe('a capability that was learned for two cities in a loop', () => {
  const codeForBoth = (one: string, other: string, to: string) => `
    const lines = [];
    for (const city of ['${one}', '${other}']) {
      const { summary } = await mcp.city.get_weather({ city });
      lines.push(city + ': ' + summary);
    }
    await mcp.files.write_file({ path: '${to}', content: lines.join('\\n') });
    return { lines };`;

  test('capability with a loop gets as many cities as the next request lists', async () => {
    const learned = file('both.txt');
    const ran = await client.callTool({
      name: 'pml_execute_code',
      arguments: {
        code: codeForBoth('Lisbon', 'Porto', learned),
        intent: `compare the weather in Lisbon and Porto and save it to ${learned}`,
      },
    });
    expect(ran.structuredContent).toMatchObject({ status: 'completed' });
    await expectRemembered(5);
    const to = file('three.txt');
    const intent = `compare the weather in Vienna, Graz and Linz and save it to ${to}`;

    const answer = await suggested(intent);

    expect(answer.tasks).toMatchObject([
      { args: { cities: ['Vienna', 'Graz', 'Linz'], path: to } },
    ]);
    expect(answer.tasks[0]?.tool).toMatch(/^cap:/);
    expect(answer.tasks[0]?.tool).not.toBe(capability);
    expect(answer.holes).toEqual([]);
    await runApproved({ intent, tasks: answer.tasks });
    expect(readFileSync(to, 'utf8').split('\n')).toEqual([
      'Vienna: sunny in Vienna',
      'Graz: sunny in Graz',
      'Linz: sunny in Linz',
    ]);
  });
});
