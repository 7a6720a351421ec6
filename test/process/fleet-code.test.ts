/**
 * The life of a capability over published servers, through the official client: the agent finds its
 * tools and writes code, finds it again in other words, runs it with other values and after a
 * restart; PML quarantines it while one of the servers lists another schema.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
type Servers = Readonly<Record<string, ServerEntry>>;

/** An intent, the code written for it, and the expected outcome. Data lies in a folder. */
interface Story {
  readonly servers: (folder: string) => Servers;
  readonly files: Readonly<Record<string, string>>;
  readonly intent: string;
  /** Tools that the code calls, each with what finds it. */
  readonly tools: Readonly<Record<string, string>>;
  readonly code: (folder: string) => string;
  readonly result: unknown;
  readonly inOtherWords: string;
  readonly otherArgs: (folder: string) => Json;
  /** A part of the expected result, and of a server's data afterwards. */
  readonly otherResult: string;
  readonly effect: { readonly tool: string; readonly args: Json; readonly shown: RegExp };
  /** A parameter that the server renames. */
  readonly change: {
    readonly server: string;
    readonly tool: string;
    readonly from: string;
    readonly to: string;
  };
  /** A call that prepares the data. */
  readonly prepare?: { readonly tool: string; readonly args: Json };
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const published = (name: string, ...args: string[]): ServerEntry => ({
  command: process.execPath,
  args: [path(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

const TAKINGS: Story = {
  servers: (folder) => ({
    files: published('filesystem', folder),
    everything: published('everything', 'stdio'),
    memory: { ...published('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  }),
  files: { 'monday.txt': '12 30\n', 'friday.txt': '7 8\n' },
  intent:
    'read the takings of a day from a text file, add the two numbers and create an entity for the day in the knowledge graph',
  tools: {
    'files:read_text_file': 'read a text file',
    'everything:get-sum': 'add two numbers',
    'memory:create_entities': 'create an entity in the knowledge graph',
  },
  code: (folder) => `
    const note = await mcp.files.read_text_file({ path: '${join(folder, 'monday.txt')}' });
    const [morning, evening] = note.content.trim().split(' ').map(Number);
    const sum = await mcp.everything['get-sum']({ a: morning, b: evening });
    await mcp.memory.create_entities({
      entities: [{ name: 'monday', entityType: 'takings', observations: [sum] }],
    });
    return sum;`,
  result: 'The sum of 12 and 30 is 42.',
  inOtherWords:
    'sum up what we earned on a day, noted in a text file, and remember it as an entity',
  otherArgs: (folder) => ({ path: join(folder, 'friday.txt'), name: 'friday' }),
  otherResult: 'The sum of 7 and 8 is 15.',
  effect: { tool: 'memory:open_nodes', args: { names: ['friday'] }, shown: /7 and 8 is 15/ },
  change: { server: 'memory', tool: 'create_entities', from: 'entities', to: 'nodes' },
};

const ORDERS: Story = {
  servers: fleetIn,
  files: { 'tea.csv': 'tea,4.5,4\n', 'pot.csv': 'pot,32,3\n' },
  intent:
    'read an order from a csv file, multiply price and quantity and insert a record with the total into the sqlite database',
  tools: {
    'filesystem:read_text_file': 'read a text file',
    'calculator:mul': 'multiply two numbers',
    'sqlite:create_record': 'insert a record into a table of the sqlite database',
  },
  code: (folder) => `
    const file = await mcp.filesystem.read_text_file({ path: '${join(folder, 'tea.csv')}' });
    const [item, price, quantity] = file.content.trim().split(',');
    const product = await mcp.calculator.mul({ a: Number(price), b: Number(quantity) });
    const total = Number(product.split(' ').at(-1));
    await mcp.sqlite.create_record({ table: 'orders', data: { item, total } });
    return { item, total };`,
  result: { item: 'tea', total: 18 },
  inOtherWords:
    'take the order in this csv and save what it costs altogether as a row of the database',
  otherArgs: (folder) => ({ path: join(folder, 'pot.csv') }),
  otherResult: '{"item":"pot","total":96}',
  effect: {
    tool: 'sqlite:read_records',
    args: { table: 'orders', conditions: { item: 'pot' } },
    shown: /"total": ?96/,
  },
  change: { server: 'sqlite', tool: 'create_record', from: 'table', to: 'tableName' },
  prepare: { tool: 'sqlite:query', args: { sql: 'create table orders (item text, total real)' } },
};

const fleet = process.env['PML_FLEET'];

/** All servers of PML_FLEET; those of the story keep their data in the folder. */
function fleetIn(folder: string): Servers {
  const { mcpServers } = JSON.parse(readFileSync(fleet ?? '', 'utf8')) as { mcpServers: Servers };
  const over = (name: string, data: string): ServerEntry => ({
    command: 'node',
    args: [...(mcpServers[name]?.args.slice(0, 1) ?? []), data],
  });
  return {
    ...mcpServers,
    filesystem: over('filesystem', folder),
    sqlite: over('sqlite', join(folder, 'orders.db')),
  };
}

describe('code over three published servers', () => {
  tell(TAKINGS);
});

describe.skipIf(fleet === undefined)(
  'code over three servers of the fleet of PML_FLEET (SKIPPED when it is not set)',
  () => {
    tell(ORDERS);
  },
);

function tell(story: Story): void {
  let workspace: Workspace;
  let client: Awaited<ReturnType<typeof connectSdk>>;
  let folder: string;
  let changeFile: string;
  let name: string;

  beforeAll(async () => {
    workspace = await Workspace.create('{}', { isNew: true });
    folder = join(workspace.path, 'data');
    changeFile = join(workspace.path, 'change.json');
    mkdirSync(folder);
    for (const [file, text] of Object.entries(story.files)) writeFileSync(join(folder, file), text);
    const servers = story.servers(folder);
    const { server } = story.change;
    workspace.configure({
      embedding: 'gte-small',
      // Some parameters keep the values that the capability was learned with.
      workflows: { guesses: 'show' },
      mcpServers: { ...servers, [server]: changeable(servers[server]!, changeFile) },
    });
    client = await connectSdk(workspace);
  });

  afterAll(async () => {
    await client.close();
    await workspace[Symbol.asyncDispose]();
  });

  const call = (tool: string, args: Json) => client.callTool({ name: tool, arguments: args });
  const runIt = () =>
    call('pml_execute_workflow', { capability: name, args: story.otherArgs(folder) });
  /** The result of the capability, without the values that PML filled in. */
  const givenBy = (answer: Parameters<typeof resultText>[0]) =>
    resultText(answer).replace(/\nfilled: .*$/, '');
  const runTask = async ({ tool, args }: { readonly tool: string; readonly args: Json }) =>
    resultText(await call('pml_execute_workflow', { tasks: [{ id: 'a', tool, args }] }));
  const offered = async (question: Json): Promise<readonly string[]> => {
    const { hits } = JSON.parse(resultText(await call('pml_discover', question))) as {
      hits: { tool: string }[];
    };
    return hits.map(({ tool }) => tool);
  };
  /** Waits until all servers have listed and search uses meaning as well as words. */
  const expectFirst = async (intent: string, hit: RegExp) => {
    const first = async () => (await offered({ intent }))[0];
    await expect.poll(first, { timeout: 90_000 }).toMatch(hit);
  };

  test('agent writes code over tools that its searches found', async () => {
    for (const [tool, need] of Object.entries(story.tools)) {
      await expect
        .poll(() => offered({ intent: need }), { timeout: 90_000 })
        .toEqual(expect.arrayContaining([tool]));
    }
    if (story.prepare) await runTask(story.prepare);

    const { structuredContent } = await call('pml_execute_code', {
      intent: story.intent,
      code: story.code(folder),
    });

    expect(structuredContent).toMatchObject({
      status: 'completed',
      result: story.result,
      calls: Object.keys(story.tools).length,
    });
  });

  test('learned code is the first hit for the same intent in other words', async () => {
    await expectFirst(story.inOtherWords, /^cap:/);

    const [found = ''] = await offered({ intent: story.inOtherWords });
    name = found.slice('cap:'.length);
    const shown = await workspace.run('capabilities', 'show', name);

    expect(shown.stdout).toContain(story.intent);
    for (const tool of Object.keys(story.tools)) {
      expect(shown.stdout).toMatch(new RegExp(`${tool} [0-9a-f]{12} unchanged`));
    }
    for (const parameter of Object.keys(story.otherArgs(folder))) {
      expect(shown.stdout).toMatch(new RegExp(`${parameter} +string +default `));
    }
  });

  test('learned code works with other values', async () => {
    const answer = await runIt();

    expect(answer.isError).not.toBe(true);
    expect(givenBy(answer)).toBe(story.otherResult);
    expect(await runTask(story.effect)).toMatch(story.effect.shown);
  });

  test('learned code survives a daemon restart', async () => {
    await workspace.run('restart');

    await expectFirst(story.inOtherWords, new RegExp(`^cap:${name}$`));
    expect(givenBy(await runIt())).toBe(story.otherResult);
  });

  test('learned code is quarantined with a diff while a server lists another schema', async () => {
    const { server, tool, from, to } = story.change;
    const diff = `${server}:${tool}: - parameter ${from} is gone (perhaps it is ${to} now)`;
    const state = async () => (await workspace.run('capabilities')).stdout;

    writeFileSync(changeFile, JSON.stringify({ tool, from, to }));
    await workspace.run('tools', 'refresh', server);
    await expect.poll(state).toMatch(new RegExp(`${name} +quarantined`));
    const offers = [
      ...(await offered({ intent: story.inOtherWords })),
      ...(await offered({ pattern: 'cap:*' })),
    ];
    const refused = await runIt();
    const shown = await workspace.run('capabilities', 'show', name);

    expect(offers).not.toContain(`cap:${name}`);
    expect(refused.isError).toBe(true);
    expect(resultText(refused)).toContain(`[ARGUMENTS_INVALID]: ${server}:${tool}: args.${to}`);
    expect(resultText(refused)).toContain(diff);
    expect(shown.stdout).toMatch(new RegExp(`^${name} +quarantined`));
    expect(shown.stdout.split('\n')).toContain(`  ${diff}`);
    expect(shown.stdout).toMatch(new RegExp(`${server}:${tool} [0-9a-f]{12} changed since`));
    expect(shown.stdout).toMatch(new RegExp(`^ +- inputSchema: .*"${from}":`, 'm'));
    expect(shown.stdout).toMatch(new RegExp(`^ +\\+ inputSchema: .*"${to}":`, 'm'));
  });

  test('learned code is offered again, and works, when the schema is restored', async () => {
    rmSync(changeFile);
    await workspace.run('tools', 'refresh', story.change.server);

    await expectFirst(story.inOtherWords, new RegExp(`^cap:${name}$`));
    expect((await workspace.run('capabilities')).stdout).toMatch(new RegExp(`${name} +active`));
    expect(givenBy(await runIt())).toBe(story.otherResult);
  });
}

/** A server whose schema can be changed by a file. */
function changeable({ command, args, env }: ServerEntry, changeFile: string): ServerEntry {
  return {
    command: process.execPath,
    args: [path('../fixtures/changed-schema.mjs'), command, ...args],
    env: { ...env, STATE: changeFile },
  };
}
