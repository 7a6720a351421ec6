/** Many real servers at once, some of which never answer. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

const MENU_TOKENS = 450;
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

const published = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(MODULES, `@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});
const talkative = (era: string) => ({
  command: process.execPath,
  args: [join(FIXTURES, 'talkative-server.mjs'), era],
});
/** Runs, reads and never says a word, until its client leaves. */
const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

/** Named so that hanging servers start first and take every start slot. */
function fleet(folder: (name: string) => string) {
  const memory = (name: string) => ({
    ...published('memory'),
    env: { MEMORY_FILE_PATH: join(folder(name), 'memory.jsonl') },
  });
  return {
    'a-silent-1': silent,
    'a-silent-2': silent,
    'a-silent-3': silent,
    'a-silent-4': silent,
    docs: published('filesystem', folder('docs')),
    photos: published('filesystem', folder('photos')),
    invoices: published('filesystem', folder('invoices')),
    everything: published('everything', 'stdio'),
    'everything-2': published('everything', 'stdio'),
    'everything-3': published('everything', 'stdio'),
    people: memory('people'),
    projects: memory('projects'),
    thinking: published('sequential-thinking'),
    'thinking-2': published('sequential-thinking'),
    'talk-1': talkative('legacy'),
    'talk-2': talkative('legacy'),
    'talk-3': talkative('modern'),
    plain: { command: process.execPath, args: [join(FIXTURES, 'plain-server.mjs')] },
    'plain-2': { command: process.execPath, args: [join(FIXTURES, 'plain-server.mjs')] },
  };
}

async function menuTokens(client: PmlClient, instructions: unknown): Promise<number> {
  const { result } = await client.request('tools/list');
  const tools = (result?.['tools'] ?? []) as Record<string, unknown>[];
  const shown = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return countTokens(JSON.stringify(shown)) + countTokens(String(instructions as string));
}

interface Hits {
  readonly hits: { readonly tool: string }[];
  readonly note?: string;
}

async function discover(client: PmlClient, args: object): Promise<Hits> {
  return JSON.parse(textOf(await client.call('pml_discover', { ...args }))) as Hits;
}

describe('fifteen servers and four that hang', () => {
  let workspace: Workspace;
  let client: PmlClient;
  let instructions: unknown;
  const folder = (name: string) => join(workspace.path, name);

  beforeAll(async () => {
    workspace = await Workspace.create({ mcpServers: {} });
    const mcpServers = fleet((name) => {
      mkdirSync(folder(name), { recursive: true });
      return folder(name);
    });
    // PML does not time out a hanging server during the test: nothing may depend on that.
    workspace.configure({
      embedding: 'gte-small',
      mcpServers,
      // The server marks write_file as destructive.
      permissions: { allow: ['photos:write_file'] },
      limits: { startTimeoutMs: 600_000 },
    });
    client = workspace.spawn();
    instructions = (await client.initialize()).result?.['instructions'];
  });

  afterAll(() => workspace[Symbol.asyncDispose]());

  test('PML shows its menu at once and within the budget', async () => {
    expect(await menuTokens(client, instructions)).toBeLessThanOrEqual(MENU_TOKENS);
  });

  test('PML lists every server that answers, and names those that do not', async () => {
    const silentOnes = ['a-silent-1', 'a-silent-2', 'a-silent-3', 'a-silent-4'].join(', ');

    await expect
      .poll(async () => (await discover(client, { intent: 'read a file' })).note ?? '', {
        timeout: 90_000,
      })
      .toContain(`: ${silentOnes}.`);

    // Tools that have no vector yet would rank below those of other servers.
    await expect
      .poll(async () => (await workspace.status()).search, { timeout: 90_000 })
      .toMatchObject({ waiting: 0 });
    const { servers } = await workspace.status();
    const tools = servers.reduce((sum, server) => sum + Number(server['tools']), 0);
    expect(servers.filter((server) => server['listed'] === true)).toHaveLength(15);
    expect(tools).toBeGreaterThanOrEqual(100);
  });

  test.each([
    [{ intent: 'add two numbers' }, /^everything.*:get-sum$/],
    [{ intent: 'list the files in a directory of invoices' }, /^invoices:list_directory/],
    [{ intent: 'create entities in the knowledge graph of people' }, /^people:create_entities$/],
    [{ pattern: 'photos:*file*' }, /^photos:/],
    [{ name: 'docs:write_file' }, /^docs:write_file$/],
  ])('search finds the tool for %j', async (args, tool) => {
    const { hits } = await discover(client, args);

    expect(hits[0]?.tool).toMatch(tool);
  });

  test('workflow passes a result through several servers', async () => {
    writeFileSync(join(folder('docs'), 'name.txt'), 'Ada');
    const path = join(folder('photos'), 'greeting.txt');

    const answer = await client.call('pml_execute_workflow', {
      tasks: [
        { id: 'sum', tool: 'everything:get-sum', args: { a: 2, b: 3 } },
        {
          id: 'name',
          tool: 'docs:read_text_file',
          args: { path: join(folder('docs'), 'name.txt') },
        },
        {
          id: 'write',
          tool: 'photos:write_file',
          args: { path, content: '${name.content}: ${sum}' },
        },
        { id: 'talk', tool: 'talk-3:echo', args: { text: { $ref: 'name.content' } } },
        {
          id: 'remember',
          tool: 'people:create_entities',
          args: {
            entities: [
              { name: { $ref: 'talk' }, entityType: 'person', observations: ['likes numbers'] },
            ],
          },
        },
        { id: 'recall', tool: 'people:read_graph', needs: ['remember'] },
      ],
    });

    expect(answer.result?.['structuredContent']).toMatchObject({ status: 'completed' });
    expect(readFileSync(path, 'utf8')).toMatch(/^Ada: .*5/);
    expect(textOf(answer)).toContain('likes numbers');
  });
});

const large = process.env['PML_FLEET'];

describe.skipIf(large === undefined)('the fleet of PML_FLEET (SKIPPED when it is not set)', () => {
  test('large fleet fits into the menu, and search finds its tools', async () => {
    const file = JSON.parse(readFileSync(large ?? '', 'utf8')) as { mcpServers: object };
    await using workspace = await Workspace.create({ embedding: 'gte-small', ...file });
    const client = workspace.spawn();
    const { result } = await client.initialize();

    expect(await menuTokens(client, result?.['instructions'])).toBeLessThanOrEqual(MENU_TOKENS);
    await expect
      .poll(async () => (await discover(client, { intent: 'read a text file' })).hits[0]?.tool, {
        timeout: 110_000,
      })
      .toMatch(/^filesystem:read_/);
  });
});
