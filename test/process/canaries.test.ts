/** One whole session with secrets everywhere, and then a look at every file and every answer. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { openBareStore } from '../helpers/bare-store.js';
import { runCode } from '../helpers/code-client.js';
import { type Answer, type PmlClient, textOf } from '../helpers/pml-client.js';
import { type QuotingServer, startQuotingServer } from '../helpers/quoting-server.js';
import { Workspace } from '../helpers/workspace.js';

const LEAKY = fileURLToPath(new URL('../fixtures/leaky-server.mjs', import.meta.url));

/** None of them may appear in anything that PML writes or answers. */
const SECRETS = {
  environment: 'canary-environment-4f1d',
  header: 'canary-header-93ab',
  address: 'canary-address-5c0e',
  option: 'canary-option-77d2',
  form: 'canary-form-b1c9',
  intent: 'canary-intent-2e6f',
  literal: 'canary-literal-0a8d',
};
/** Sent to a tool and returned by it: PML keeps it in `KEPT_FILES` only. */
const ARGUMENT = 'canary-argument-6b3c';
/** Files that keep arguments and results verbatim, as the README says. */
const KEPT_FILES = [/^journal\//];
const KEPT_TABLES = ['result_blob', 'result_part', 'run_event'];

let remote: QuotingServer;
let workspace: Workspace;
let client: PmlClient;
/** Everything that clients and terminals got, by action. */
const shown = new Map<string, string>();

beforeAll(async () => {
  remote = await startQuotingServer();
  const variables = { KEY: SECRETS.environment, HEADER: SECRETS.header };
  workspace = await Workspace.create(
    {
      logLevel: 'debug',
      exposure: { capabilities: ['*'] },
      mcpServers: {
        leaky: {
          command: process.execPath,
          args: [LEAKY, '--api-key', SECRETS.option],
          env: { LEAKY_KEY: '${KEY}', FORM: SECRETS.form },
        },
        remote: { url: remote.url, headers: { Authorization: 'Bearer ${HEADER}' } },
        gone: { url: `http://u:${SECRETS.address}@127.0.0.1:9/mcp` },
        missing: { command: `/nowhere/${SECRETS.option}` },
      },
    },
    { variables },
  );
  client = await workspace.connect();
  await client.request('logging/setLevel', { level: 'debug' });
  await play();
  await workspace.stop();
  client = await workspace.connect();
  await show();
  shown.set('notifications', JSON.stringify(client.notifications));
  await workspace.stop();
}, 600_000);

afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
  await remote[Symbol.asyncDispose]();
});

const INTENT = `sign in to the shop with password=${SECRETS.intent} and look`;
const SIGN_IN = `
  // token=${SECRETS.literal}
  const key = 'token=${SECRETS.literal}';
  const { session } = await mcp.leaky.sign_in({ user: 'ada', password: args.password });
  return [session.user, key.length]`;

/** What an agent does. */
async function play(): Promise<void> {
  const keep = (what: string, answer: Answer) => shown.set(what, JSON.stringify(answer));
  keep('list', await client.request('tools/list'));
  keep('discover', await client.call('pml_discover', { intent: INTENT }));
  keep('suggest', await client.call('pml_execute_workflow', { intent: INTENT }));
  for (const mode of ['protocol error', 'tool error', 'tell', 'crash']) {
    const name = `call ${mode}`;
    keep(name, await client.call('leaky__act', { mode }, { progressToken: mode }));
    const tasks = [{ id: 'a', tool: 'leaky:act', args: { mode } }];
    keep(`task ${mode}`, await client.call('pml_execute_workflow', { tasks, intent: INTENT }));
    const code = `return await mcp.leaky.act({ mode: ${JSON.stringify(mode)} })`;
    keep(`code ${mode}`, await client.call('pml_execute_code', { code, intent: INTENT }));
  }
  keep('remote', await client.call('remote__fetch'));
  const tasks = ['remote:fetch', 'gone:x', 'missing:x'].map((tool, id) => ({ id: `t${id}`, tool }));
  keep('remote task', await client.call('pml_execute_workflow', { tasks: tasks.slice(0, 1) }));
  keep('gone', await client.call('pml_execute_workflow', { tasks: tasks.slice(1, 2) }));
  keep('missing', await client.call('pml_execute_workflow', { tasks: tasks.slice(2) }));
  const wrong = { user: 7, password: SECRETS.intent, note: `password=${SECRETS.intent}` };
  keep(
    'wrong',
    await client.call('pml_execute_workflow', {
      tasks: [{ tool: 'leaky:sign_in', args: { user: { password: `token=${SECRETS.intent}` } } }],
    }),
  );
  keep('unknown', await client.call('leaky__nothing', wrong));
  await runCode(client, SIGN_IN, { intent: INTENT, args: { password: ARGUMENT } });
  const signIn = { id: 's', tool: 'leaky:sign_in', args: { user: 'ada', password: ARGUMENT } };
  await client.call('pml_execute_workflow', { tasks: [signIn], intent: INTENT });
  shown.set('notifications of the first', JSON.stringify(client.notifications));
  await vi.waitFor(
    async () => expect((await workspace.run('capabilities', 'list')).stdout).toMatch(/signIn/i),
    { timeout: 60_000 },
  );
}

/** What a person looks at. */
async function show(): Promise<void> {
  const list = JSON.parse(
    (await workspace.run('capabilities', 'list', '--json')).stdout,
  ) as unknown;
  const name = /"name":"(signIn\w*)"/i.exec(JSON.stringify(list))?.[1] ?? '';
  const commands = [
    ['status'],
    // First, because later commands repeat what it finds wrong with a server.
    ['tools', 'refresh'],
    ['tools'],
    ['tools', 'changes'],
    ['search', INTENT],
    ['search', '--why', 'sign in'],
    ['runs'],
    ['explain', 'latest'],
    ['explain', INTENT],
    ['metrics', 'ranking'],
    ['metrics', 'reliability'],
    ['graph', 'stats'],
    ['graph', 'show', 'leaky:sign_in'],
    ['capabilities', 'list'],
    ['capabilities', 'show', name],
    ['capabilities', 'verify'],
    ['show', 'run_nothing'],
    ['doctor'],
  ];
  for (const command of commands) {
    const forms = [command, [...command, '--json']];
    const answers = await Promise.all(forms.map((form) => workspace.run(...form)));
    for (const [place, { stdout, stderr }] of answers.entries()) {
      shown.set((forms[place] ?? []).join(' '), `${stdout}\n${stderr}`);
    }
  }
  for (const command of [
    ['logs', '-n', '5000'],
    ['logs', 'leaky', '-n', '5000'],
    ['capabilities', 'export'],
  ]) {
    const { stdout, stderr } = await workspace.run(...command);
    shown.set(command.join(' '), `${stdout}\n${stderr}`);
  }
  shown.set('skills', JSON.stringify(await client.request('resources/list')));
  const skills = await client.request('skills/list');
  shown.set('skills list', JSON.stringify(skills));
  for (const [, uri] of JSON.stringify(skills).matchAll(/"uri":"([^"]+)"/g)) {
    shown.set(`skill ${uri}`, JSON.stringify(await client.request('resources/read', { uri })));
  }
}

/** Every file below a directory, by its path in it. */
function filesBelow(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  return new Map(files.map((path) => [relative(root, path), readFileSync(path, 'latin1')]));
}

const holders = (texts: ReadonlyMap<string, string>, secret: string) =>
  [...texts].flatMap(([name, text]) => (text.includes(secret) ? [name] : []));

describe.each(Object.entries(SECRETS))('the secret of the %s', (_name, secret) => {
  test('secret is in no answer and no error that a client or a terminal gets [SAFE-CANARIES]', () => {
    expect(holders(shown, secret)).toEqual([]);
  });

  test('secret is in no file of the data directory [SAFE-CANARIES]', () => {
    const files = filesBelow(workspace.dataDir);

    // What an agent writes into its code or arguments is part of its run.
    const isWritten = secret === SECRETS.literal || secret === SECRETS.intent;
    const found = holders(files, secret).filter(
      (file) => !isWritten || !KEPT_FILES.some((kept) => kept.test(file)),
    );
    expect(found).toEqual([]);
  });
});

test('arguments and results are only in the journal and in kept results [SAFE-CANARIES]', () => {
  const files = holders(filesBelow(workspace.dataDir), ARGUMENT);

  expect(files.filter((file) => KEPT_FILES.some((kept) => kept.test(file)))).not.toEqual([]);
  expect(files.filter((file) => !KEPT_FILES.some((kept) => kept.test(file)))).toEqual([]);
  expect(holders(shown, ARGUMENT)).toEqual([]);
});

test('no table of the store but those of kept results holds a secret [SAFE-CANARIES]', async () => {
  await using store = await openBareStore(workspace.dataDir);
  const { rows } = await store.pglite.query(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const tables = new Map<string, string>();
  for (const { name } of rows as { name: string }[]) {
    const all = await store.pglite.query(`select t::text as row from "${name}" t`);
    tables.set(name, JSON.stringify(all.rows));
  }

  const found = [...Object.values(SECRETS), ARGUMENT].flatMap((secret) => holders(tables, secret));
  expect(tables.get('capability')).toMatch(/signIn/i);
  expect(tables.get('execution_trace')).toContain('sign in to the shop');
  expect(found.filter((name) => !KEPT_TABLES.includes(name))).toEqual([]);
});

test('result of a tool reaches its agent unchanged', async () => {
  const again = await workspace.connect();

  const args = { user: 'ada', password: ARGUMENT };
  const answer = textOf(await again.call('leaky__sign_in', args));

  expect(JSON.parse(answer)).toEqual({ session: args });
});

test('URL for the user keeps its token and loses the key of the server', async () => {
  const again = await workspace.connect();

  const answer = await again.call('leaky__act', { mode: 'open address' });

  const url = 'https://login.example/?session_token=of-this-sign-in-1&by=***';
  expect(answer.error).toMatchObject({ code: -32042, data: { elicitations: [{ url }] } });
});

test('log of a server keeps all words that are not secret', () => {
  const log = readFileSync(join(workspace.dataDir, 'logs', 'servers', 'leaky.log'), 'utf8');

  expect(log).toContain('starting with key ***\n');
  expect(log).toContain('connecting: password=*** max_tokens=100\n');
  expect(log).toContain('Authorization: Bearer ***\n');
});
