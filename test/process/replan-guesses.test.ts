/**
 * Tasks added to an active run, over the published filesystem server: a new requirement gets the
 * plan it would get alone, prefers new results to old ones, repeats nothing and asks before writes.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ALL_CAPABILITIES, connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface Answer {
  readonly run: string;
  readonly status: string;
  readonly summary?: string;
  readonly tasks: Record<string, { readonly status: string; readonly result?: unknown }>;
  readonly asks?: readonly { readonly task: string; readonly why: string }[];
  readonly found?: readonly { readonly task: string; readonly tool: string; readonly args: Json }[];
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const program = (file: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path(file), ...args],
});
const FILES = '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';

let workspace: Workspace;
let client: Awaited<ReturnType<typeof connectSdk>>;
let folder: string;

const file = (name: string) => join(folder, name);
const call = async (tool: string, args: Json, by = client): Promise<Answer> => {
  const { structuredContent } = await by.callTool({ name: tool, arguments: args });
  return structuredContent as unknown as Answer;
};
const goOn = (run: string, decision: string, more: Json = {}, by = client) =>
  call('pml_continue', { run, decision, ...more }, by);
const replan = (run: string, requirement: string) =>
  client.callTool({
    name: 'pml_continue',
    arguments: { run, decision: 'replan', requirement },
  });
const foundBy = async (run: string, requirement: string) => {
  const { found = [] } = (await replan(run, requirement)).structuredContent as unknown as Answer;
  return found;
};

/** A run that has read a table and waits for its agent. */
async function begun(by = client): Promise<Answer> {
  const tasks = [
    { id: 'table', tool: 'files:read_text_file', args: { path: file('rows.csv') } },
    { id: 'hold', tool: 'files:list_directory', args: { path: folder }, needs: ['table'] },
  ];
  const request = { intent: 'Read the rows', tasks, approve: 'per_layer' };
  const answer = await call('pml_execute_workflow', request, by);
  expect(answer).toMatchObject({ status: 'needs_approval', tasks: { hold: {} } });
  return answer;
}

async function approved(run: string): Promise<Answer> {
  let answer = await goOn(run, 'approve');
  while (answer.status === 'needs_approval') answer = await goOn(run, 'approve');
  return answer;
}

/** PML remembers runs after it has answered. */
async function remembered(count: number): Promise<void> {
  await expect
    .poll(async () => (await workspace.status()).search, { timeout: 90_000 })
    .toMatchObject({ remembered: count, waiting: 0 });
}

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  folder = join(workspace.path, 'data');
  mkdirSync(folder);
  writeFileSync(file('rows.csv'), 'a,b\n1,2\n');
  writeFileSync(file('config.json'), '{"port": 8080}');
  workspace.configure({
    embedding: 'gte-small',
    permissions: { allow: ['files:*', 'city:*', 'json:*'], ask: ['files:move_file'] },
    mcpServers: {
      files: program(FILES, folder),
      json: program('../fixtures/servers/json-server.mjs'),
      city: program('../fixtures/servers/city-server.mjs'),
    },
  });
  client = await connectSdk(workspace);
});

afterAll(async () => {
  await client.close();
  await workspace[Symbol.asyncDispose]();
});

test('servers list their tools before the replan tests', async () => {
  for (const intent of ['files:move_file', 'json:parse', 'city:get_weather']) {
    const look = async () =>
      resultText(await client.callTool({ name: 'pml_discover', arguments: { intent } }));
    await expect.poll(look, { timeout: 90_000 }).toContain(intent);
  }
});

// covers: RUN-ADDED
describe('a new requirement of a run', () => {
  const REQUIREMENT = 'also parse the JSON of config.json';

  /** The file that the requirement names, and its own text: never that of the table. */
  async function expectParsed(run: string): Promise<void> {
    const found = await foundBy(run, REQUIREMENT);
    const read = found.find(({ tool }) => tool !== 'json:parse');
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(
      expect.objectContaining({
        tool: 'json:parse',
        args: { jsonString: { $ref: `${read?.task}.content` } },
      }),
    );
    expect(read).toMatchObject({
      tool: expect.stringMatching(/^files:read_(text_)?file$/) as string,
      args: { path: 'config.json' },
    });
    expect(Object.keys((await goOn(run, 'wait')).tasks)).toEqual(
      expect.arrayContaining(['table', 'hold', read?.task, 'parse']),
    );
  }

  test('new requirement gets a step for its named file and text in an empty store', async () => {
    const { run } = await begun();

    await expectParsed(run);

    const done = await approved(run);
    expect(done).toMatchObject({
      status: 'completed',
      tasks: { parse: { result: { parsed: { port: 8080 } } } },
    });
  });

  test('new requirement gets the same plan after runs that parsed a file', async () => {
    for (const name of ['a.json', 'b.json', 'c.json']) {
      writeFileSync(file(name), '{"name": 1}');
      const tasks = [
        { id: 'read', tool: 'files:read_text_file', args: { path: file(name) } },
        { id: 'parse', tool: 'json:parse', args: { jsonString: { $ref: 'read.content' } } },
      ];
      const intent = `parse the JSON of ${name}`;
      const done = await call('pml_execute_workflow', { intent, tasks });
      expect(done).toMatchObject({ status: 'completed' });
    }
    await remembered(4);
    const { run } = await begun();

    await expectParsed(run);
    await goOn(run, 'abort');
  });

  test('new requirement does not repeat a call that the run made with the same arguments', async () => {
    const { run } = await begun();
    const requirement = `parse the JSON of ${file('config.json')}`;
    const read = { id: 'mine', tool: 'files:read_text_file', args: { path: file('config.json') } };
    await goOn(run, 'inject', { tasks: [read] });
    await goOn(run, 'approve', { tasks: ['mine'] });

    const found = await foundBy(run, requirement);

    expect(found).toEqual([
      expect.objectContaining({
        tool: 'json:parse',
        args: { jsonString: { $ref: 'mine.content' } },
      }),
    ]);
    expect(await approved(run)).toMatchObject({ status: 'completed' });
    await remembered(5);
  });

  test('new requirement that lacks a value changes nothing, and the error names the value', async () => {
    const { run } = await begun();

    const answer = await replan(run, 'find cheap hotels');

    expect(answer.isError).toBe(true);
    expect(resultText(answer)).toMatch(/args\.city is missing.*Nothing was changed/s);
    expect(Object.keys((await goOn(run, 'wait')).tasks)).toEqual(['table', 'hold']);
    await goOn(run, 'abort');
  });

  test('new requirement that is a question gets no writing tool, although past runs wrote its answer', async () => {
    const code = `
      const { summary } = await mcp.city.get_weather({ city: 'Lisbon' });
      const { hotels } = await mcp.city.find_hotels({ city: 'Lisbon' });
      return await mcp.files.write_file({ path: '${file('lisbon.txt')}', content: summary + ' ' + hotels[0].hotel });`;
    const intent = `note the weather and cheap hotels of Lisbon in the file ${file('lisbon.txt')}`;
    const learned = await call('pml_execute_code', { code, intent });
    expect(learned).toMatchObject({ status: 'completed' });
    const before = readFileSync(file('lisbon.txt'), 'utf8');
    writeFileSync(file('lisbon.txt'), 'untouched');
    const { run } = await begun();

    const found = await foundBy(run, 'what is the weather in Rome');

    expect(before).toContain('sunny in Lisbon');
    expect(found).toEqual([
      expect.objectContaining({ tool: 'city:get_weather', args: { city: 'Rome' } }),
    ]);
    expect(JSON.stringify(await approved(run))).toContain('sunny in Rome');
    expect(readFileSync(file('lisbon.txt'), 'utf8')).toBe('untouched');
  });
});

test('injected task that writes waits for approval in a run with per-layer approval', async () => {
  const { run } = await begun();
  const write = { path: file('out.txt'), content: 'hello' };

  const held = await goOn(run, 'inject', {
    tasks: [{ id: 'write', tool: 'files:write_file', args: write }],
  });

  expect(held).toMatchObject({
    status: 'needs_approval',
    asks: [{ task: 'hold' }, { task: 'write', why: 'it was added to the run' }],
    summary: expect.stringContaining('Done: table → a,b 1,2') as string,
  });
  expect(existsSync(file('out.txt'))).toBe(false);
  await goOn(run, 'approve', { tasks: ['write'] });
  expect(readFileSync(file('out.txt'), 'utf8')).toBe('hello');
  await goOn(run, 'abort');
});

// covers: RUN-TURNS
describe('a client that can ask its user', () => {
  const move = (needs: readonly string[]) => ({
    id: 'move',
    tool: 'files:move_file',
    args: { source: file('rows.csv'), destination: file('moved.csv') },
    needs,
  });

  /** A client whose user answers with `content`, and the questions it got. */
  async function asking(content: Json) {
    const asked: string[] = [];
    const one = await connectSdk(workspace, {
      capabilities: ALL_CAPABILITIES,
      prepare: (made) =>
        made.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: content as Record<string, string | boolean> };
        }),
    });
    return { one, asked };
  }

  test('client that can ask lets its agent approve layers and its user approve risky calls', async () => {
    const { one, asked } = await asking({ allow: false, message: 'keep that file' });
    await using _closed = one;
    const { run } = await begun(one);
    expect(asked).toEqual([]);

    const answer = await goOn(run, 'inject', { tasks: [move([])] }, one);

    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('files:move_file');
    expect(asked[0]).not.toContain('files:list_directory');
    expect(answer).toMatchObject({
      status: 'needs_approval',
      asks: [{ task: 'hold' }],
      next: expect.stringContaining('Your turn') as string,
      messages: [{ by: 'human', text: 'keep that file' }],
      summary: expect.stringContaining('Rejected: move') as string,
    });
    const done = await goOn(run, 'approve', { message: 'only the list then' }, one);
    expect(done).toMatchObject({
      status: 'rejected',
      rejected: [{ task: 'move', by: 'human', why: 'rejected by the human: keep that file' }],
      tasks: { hold: { status: 'completed' } },
    });
    expect(existsSync(file('rows.csv'))).toBe(true);
    const shown = await workspace.run('show', run);
    expect(shown.stdout).toContain('rejected');
    expect(shown.stdout).toContain('human says: keep that file');
    expect(shown.stdout).toContain('agent says: only the list then');
    const listed = await workspace.run('runs', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      runs: expect.arrayContaining([expect.objectContaining({ run, status: 'rejected' })]) as [],
    });
  });

  test('rejected run answers with what was rejected, and not as an error [RUN-REJECTED]', async () => {
    const { one } = await asking({ allow: false });
    await using _closed = one;

    const answer = await one.callTool({
      name: 'pml_execute_workflow',
      arguments: { tasks: [move([])] },
    });

    expect(answer.isError).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({
      status: 'rejected',
      rejected: [{ task: 'move', tool: 'files:move_file', by: 'human' }],
    });
  });
});

test('user at the terminal rejects with a message, and the command reports it by its exit code', async () => {
  const tasks = [
    {
      id: 'move',
      tool: 'files:move_file',
      args: { source: file('rows.csv'), destination: file('x') },
    },
  ];
  const { run } = await call('pml_execute_workflow', { tasks });

  const rejected = await workspace.run('continue', run, 'reject', '--message', 'not today');

  expect(rejected.code).toBe(5);
  const shown = await workspace.run('show', run);
  expect(shown.stdout).toContain('user says: not today');
  expect(await goOn(run, 'wait')).toMatchObject({
    status: 'rejected',
    rejected: [{ by: 'user', why: 'rejected by the user: not today' }],
  });
});
