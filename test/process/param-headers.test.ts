/** Parameters that a remote server wants repeated in headers, with a server that insists on it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURE = fileURLToPath(new URL('../fixtures/header-server.mjs', import.meta.url));

let server: ChildProcess;
let workspace: Workspace;
let client: PmlClient;

beforeAll(async () => {
  server = spawn(process.execPath, [FIXTURE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
  workspace = await Workspace.create({
    embedding: 'none',
    mcpServers: { remote: { url } },
  });
  client = await workspace.connect();
});

afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
  const ended = once(server, 'exit');
  server.kill();
  await ended;
});

const call = (tool: string, args: object) =>
  client.call('pml_execute_workflow', { tasks: [{ tool: `remote:${tool}`, args }] });

test.each([
  ['plain text', { region: 'us-west1', sql: 'select 1' }],
  ['other languages', { region: 'Zürich 世界' }],
  ['line breaks and blanks', { region: ' a\nb ' }],
  ['what looks encoded', { region: '=?base64?literal?=' }],
  ['an empty text', { region: '' }],
  ['numbers and truth', { limit: 42, isFresh: false }],
  ['a value inside an object', { where: { tenant: 'acme' }, sql: 'x' }],
  ['no marked parameter at all', { sql: 'select 1' }],
])('call with %s reaches the server unchanged [PASS-HEADERS]', async (_, args) => {
  const answer = await call('query', args);

  expect(answer.result?.['isError']).toBeFalsy();
  expect(JSON.parse(textOf(answer))).toEqual(args);
});

test('tool without header marks is called normally', async () => {
  expect(textOf(await call('plain', { text: 'hello' }))).toContain('hello');
});

test('PML drops tools with invalid header marks and reports the reason', async () => {
  const { stdout } = await workspace.run('tools', '--json');

  const refused = textOf(await call('broken_1', { rows: ['a'] }));

  expect(stdout).toContain('remote:query');
  expect(refused).toContain('TOOL_BLOCKED');
  expect(refused).toContain('x-mcp-header of rows.items stands where it may not');
  expect(textOf(await call('broken_2', {}))).toContain('used for several parameters');
  expect(textOf(await call('broken_3', {}))).toContain('only allowed for a string');
});
