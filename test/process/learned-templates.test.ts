/** Texts that agents build from results: PML checks them first and learns them as templates. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface Suggested {
  readonly tasks: readonly { readonly id: string; readonly tool: string; readonly args: Json }[];
  readonly bindings: readonly { readonly to: string }[];
  readonly holes: readonly { readonly task: string; readonly param: string }[];
  readonly values: readonly { readonly to: string; readonly because: string }[];
}

const CRM = fileURLToPath(new URL('../fixtures/servers/crm-server.mjs', import.meta.url));
const TOLD = [
  'look customer "C-1001" up and write a note about them',
  'write a note about customer "C-1002"',
  'a note on the customer "C-1003" for the logbook please',
  'find customer "C-1004" and put a note into the logbook',
  'customer "C-1005": look them up, then write the note',
];
const ASKED = 'look customer "C-2002" up and write a note about them';

let workspace: Workspace;
let client: PmlClient;

const notes = () => {
  const file = join(workspace.path, 'notes');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
};
const tasksFor = (code: string, text: unknown) => [
  { id: 'look', tool: 'crm:look_up', args: { code } },
  { id: 'note', tool: 'crm:write_note', args: { text } },
];
const workflow = (args: Json) => client.call('pml_execute_workflow', args);
const suggested = async (): Promise<Suggested> =>
  JSON.parse(textOf(await workflow({ intent: ASKED, detail: 'full' }))) as Suggested;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  const env = { NOTES: join(workspace.path, 'notes') };
  workspace.configure({
    embedding: 'none',
    mcpServers: { crm: { command: process.execPath, args: [CRM], env } },
  });
  client = await workspace.connect();
});

afterAll(() => workspace[Symbol.asyncDispose]());

test.each([
  ['Customer ${tasks.look.name}', 'write "${look.name}"'],
  ['Customer {{look.name}}', 'write "${look.name}"'],
  ['Customer $look.name', 'write "${look.name}"'],
  ['Customer ${customer.name}', 'names no task'],
])('text "%s" is refused before anything runs [RUN-PLACEHOLDERS]', async (text, hint) => {
  const told = textOf(await workflow({ tasks: tasksFor('C-1000', text) }));

  expect(told).toContain('PLAN_INVALID');
  expect(told).toContain(hint);
  expect(notes()).toEqual([]);
});

test('text that names no task reaches the tool as it is, and escaped text unescaped', async () => {
  const text = 'echo $HOME ${HOME} {{user.name}} $5.00 $${look.name} ${look.country}';

  await workflow({ tasks: tasksFor('C-1001', text) });

  expect(notes()).toEqual(['echo $HOME ${HOME} {{user.name}} $5.00 ${look.name} Portugal']);
});

test('plan suggests a text built from results as the same template [PLAN-TEMPLATES]', async () => {
  const text = 'Customer ${look.name} of ${look.country}';
  for (const intent of TOLD) {
    const code = /C-\d+/.exec(intent)![0];
    await workflow({ intent, tasks: tasksFor(code, text) });
  }
  const search = async () => (await workspace.status()).search;
  await expect.poll(search, { timeout: 60_000 }).toMatchObject({ remembered: 5, waiting: 0 });

  const { tasks, bindings, holes, values } = await suggested();

  const [look, note] = tasks;
  const written = `Customer \${${look?.id}.name} of \${${look?.id}.country}`;
  expect(look).toMatchObject({ tool: 'crm:look_up', args: { code: 'C-2002' } });
  expect(note).toMatchObject({ tool: 'crm:write_note', args: { text: written } });
  expect([bindings, holes]).toEqual([[], []]);
  expect(values).toContainEqual(
    expect.objectContaining({ to: `${note?.id}.text`, value: written }),
  );
});

test('plan suggests the same template after a daemon restart, and it runs unchanged', async () => {
  await client[Symbol.asyncDispose]();
  await workspace.run('stop');
  client = await workspace.connect();
  const search = async () => (await workspace.status()).search;
  await expect.poll(search, { timeout: 60_000 }).toMatchObject({ remembered: 5 });

  const { tasks } = await suggested();
  const sent = tasks.map(({ id, tool, args }) => ({ id, tool, args }));
  const held = JSON.parse(textOf(await workflow({ tasks: sent }))) as Json;
  expect(held).toMatchObject({ status: 'needs_approval' });
  await client.call('pml_continue', { run: held['run'], decision: 'approve' });

  expect(notes().at(-1)).toBe('Customer Name of C-2002 of Estonia');
});
