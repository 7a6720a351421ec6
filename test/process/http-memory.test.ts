/** What one named client asked for and sent is no part of the answers to another one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { scriptServers } from '../helpers/code-client.js';
import { serveHttp } from '../helpers/http-gateway.js';
import { bearerClient, type TokenClient, tokenClient } from '../helpers/token-client.js';
import { Workspace } from '../helpers/workspace.js';

const INTENT = 'append the zebrafish tally to the ledger';
const VALUE = 'zebrafish-4711';
const USERS_INTENT = 'append the walrus tally to the ledger';
const USERS_VALUE = 'walrus-0815';
/** What only the first client and the user have ever said. */
const SECRETS = /zebrafish|4711|walrus|0815/i;
const QUESTION = 'append the tally to the ledger';

let workspace: Workspace;
let http: Awaited<ReturnType<typeof serveHttp>>;
let ann: TokenClient;
let bob: TokenClient;

const SOON = { timeout: 20_000 };

const tasksOf = (key: string) => [{ id: 'a', tool: 'one:append', args: { key } }];

/** Everything in which PML lets its memory speak. */
async function answersTo(client: TokenClient): Promise<string> {
  const answers = [
    await client.call('pml_discover', { intent: QUESTION }),
    await client.call('pml_discover', { intent: 'tally', detail: 'schema' }),
    await client.call('pml_discover', { pattern: '*', limit: 50 }),
    await client.call('pml_discover', { intent: QUESTION, kind: 'capability' }),
    await client.call('pml_execute_workflow', { intent: QUESTION }),
    await client.call('pml_execute_workflow', { intent: `${QUESTION}, please`, detail: 'full' }),
    await client.call('pml_execute_workflow', {
      tasks: [{ tool: 'one:append' }],
      intent: QUESTION,
    }),
    await client.call('pml_execute_workflow', { tasks: [{ tool: 'cap:nothing', args: {} }] }),
    await client.call('pml_execute_code', { code: 'return await mcp.cap.nothing({});' }),
    await client.call('pml_continue', {}),
  ];
  const lists = ['tools/list', 'resources/list', 'prompts/list', 'server/discover'].map((method) =>
    client.ask(method),
  );
  return [...answers, ...(await Promise.all(lists)).map(({ body }) => body)].join('\n');
}

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  const { one } = scriptServers({ root: workspace.path, ledger: 'ledger' });
  workspace.configure({
    exposure: { mode: 'meta', capabilities: ['*'] },
    workflows: { guesses: 'show' },
    permissions: { allow: ['*'] },
    mcpServers: { one },
  });
  http = await serveHttp(workspace);
  ann = await tokenClient(workspace, http, 'ann');
  bob = await tokenClient(workspace, http, 'bob');
  const user = await workspace.connect();
  for (let round = 0; round < 3; round++) {
    await ann.call('pml_execute_workflow', { tasks: tasksOf(VALUE), intent: INTENT });
    await user.call('pml_execute_workflow', { tasks: tasksOf(USERS_VALUE), intent: USERS_INTENT });
  }
  const code = (key: string) => `return await mcp.one.append({ key: '${key}' });`;
  await ann.call('pml_execute_code', { code: code(VALUE), intent: INTENT });
  await user.call('pml_execute_code', { code: code(USERS_VALUE), intent: USERS_INTENT });
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

// covers: HTTP-OWN-MEMORY
describe('the memory of a named client', () => {
  /** With the reasons, which quote past requests. */
  const planFor = (client: TokenClient) =>
    client.call('pml_execute_workflow', { intent: QUESTION, detail: 'full' });

  test('its own requests and values serve it again', async () => {
    await expect.poll(() => planFor(ann), SOON).toContain('zebrafish');
    expect(await planFor(ann)).not.toContain('walrus');
  });

  test('no answer to another named client has a word or a value of it, or of the user', async () => {
    const answers = await answersTo(bob);

    expect(answers).toContain('one:append');
    expect(answers).not.toMatch(SECRETS);
    expect(answers, 'a field that only results of others have').not.toContain('wrote:');
    expect(await planFor(bob)).not.toMatch(SECRETS);
  });

  test('the user is served by the memory of the user alone', async () => {
    const user = await workspace.connect();
    const plan = async () =>
      JSON.stringify(await user.call('pml_execute_workflow', { intent: QUESTION, detail: 'full' }));

    await expect.poll(plan, SOON).toContain('walrus');
    expect(await plan()).not.toContain('zebrafish');
  });

  test('a restart keeps the memories apart', async () => {
    await http[Symbol.asyncDispose]();
    await workspace.stop();
    http = await serveHttp(workspace);
    const [again, other] = [ann, bob].map(({ token }) => bearerClient(http.url, token));

    await expect.poll(() => planFor(again!), SOON).toContain('zebrafish');
    expect(await answersTo(other!)).not.toMatch(SECRETS);
  });
});
