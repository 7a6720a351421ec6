/**
 * Values that PML fills in, through a real server: PML asks before it sends a guess to a tool that may
 * change something, shows guesses to the agent and the user, and learns nothing from running them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface Answer {
  readonly status: string;
  readonly run: string;
  readonly filled?: readonly string[];
  readonly asks?: readonly { readonly task: string; readonly why: string; readonly args: Json }[];
}

interface Planned {
  readonly tasks: readonly { readonly id: string; readonly tool: string; readonly args: Json }[];
  readonly bindings: readonly { readonly to: string; readonly score: number }[];
  readonly approvals: readonly { readonly task: string; readonly because: string }[];
}

interface Shown {
  readonly tasks: readonly { readonly id: string; readonly filled?: readonly Json[] }[];
}

const DESK = fileURLToPath(new URL('../fixtures/servers/desk-server.mjs', import.meta.url));
const find = (question: string) => ({ id: 'find', tool: 'desk:find_ticket', args: { question } });
const READ = { id: 'read', tool: 'desk:read_ticket' };
const CLOSE = { id: 'close', tool: 'desk:close_ticket' };

let workspace: Workspace;
let client: PmlClient;
let remembered = 0;

const closed = () => {
  const file = join(workspace.path, 'closed');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
};
const ask = async <Told = Answer>(tool: string, args: Json): Promise<Told> =>
  JSON.parse(textOf(await client.call(tool, args))) as Told;
/** PML only remembers runs with an intent. */
const workflow = (...tasks: readonly object[]) =>
  ask('pml_execute_workflow', { tasks, intent: 'look after the tickets' });
const planned = (...tasks: readonly object[]) =>
  ask<Planned>('pml_execute_workflow', { tasks, mode: 'dry_run', detail: 'full' });
/** PML remembers runs behind its answers. */
const expectRemembered = async (more: number) => {
  remembered += more;
  const search = async () => (await workspace.status()).search;
  await expect.poll(search, { timeout: 60_000 }).toMatchObject({ remembered });
};
const filledOf = async (run: string, task: string) => {
  const shown = JSON.parse((await workspace.run('show', run, '--json')).stdout) as Shown;
  return shown.tasks.find(({ id }) => id === task)?.filled;
};

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  const env = { CLOSED: join(workspace.path, 'closed') };
  workspace.configure({
    embedding: 'none',
    permissions: { allow: ['desk:*'] },
    mcpServers: { desk: { command: process.execPath, args: [DESK], env } },
  });
  client = await workspace.connect();
});

afterAll(() => workspace[Symbol.asyncDispose]());

test('a guess for a reading tool runs, is shown, and gains no score by running again', async () => {
  const other = await workspace.connect();
  const scoreOf = async () => {
    const answer = await other.call('pml_execute_workflow', {
      tasks: [find('why'), READ],
      mode: 'dry_run',
      detail: 'full',
    });
    return (JSON.parse(textOf(answer)) as Planned).bindings[0]?.score;
  };
  const before = await scoreOf();

  for (const question of ['mail', 'print']) {
    const answer = await workflow(find(question), READ);
    expect(answer).toMatchObject({
      status: 'completed',
      filled: [expect.stringMatching(/^read\.ticket_id ← find\.ticket_id \(0\.\d\d\)$/)],
    });
    expect(await filledOf(answer.run, 'find')).toBeUndefined();
  }
  await expectRemembered(2);

  expect(await scoreOf()).toBe(before);
  await other[Symbol.asyncDispose]();
});

test('a guess for a tool that may change something waits with its value, and runs after approval', async () => {
  const asked = await workflow(find('a wrong bill'), CLOSE);

  expect(asked).toMatchObject({
    status: 'needs_approval',
    filled: [expect.stringMatching(/^close\.ticket_id ← find\.ticket_id/)],
    asks: [
      {
        task: 'close',
        args: { ticket_id: 'T-12' },
        why: expect.stringMatching(
          /PML filled in .*ticket_id ← find\.ticket_id \(inferred, 0\.\d\d: .+\)/,
        ),
      },
    ],
  });
  expect(closed()).toEqual([]);

  const done = await ask('pml_continue', { run: asked.run, decision: 'approve' });

  expect(done).toMatchObject({ status: 'completed' });
  expect(closed()).toEqual(['T-12']);
  await expectRemembered(1);
});

test('pml show names each filled value with its source, its score and its approval', async () => {
  const [latest] = (await filledOf('latest', 'close')) ?? [];
  const { stdout } = await workspace.run('show', 'latest');

  expect(latest).toMatchObject({
    param: 'ticket_id',
    source: 'inferred',
    score: expect.any(Number),
    because: expect.any(String),
    confirmed: 'approved',
  });
  expect(stdout).toMatch(
    /filled in by PML\s+close\.ticket_id ← find\.ticket_id \(0\.\d\d, approved\): \S/i,
  );
});

test('an approved guess counts like a given value', async () => {
  const { bindings, approvals } = await planned(find('why'), CLOSE);

  expect(bindings[0]?.score).toBeGreaterThan(0.8);
  expect(approvals).toMatchObject([{ task: 'close', because: expect.stringContaining('PML') }]);
});

test('a suggested plan that the agent sends unchanged is still asked about, and counts as seen', async () => {
  const { tasks } = await planned(find('a seen plan'), CLOSE);
  const sent = tasks.map(({ id, tool, args }) => ({ id, tool, args }));

  const answer = await workflow(...sent);

  expect(answer).toMatchObject({ status: 'needs_approval' });
  expect(await filledOf(answer.run, 'close')).toMatchObject([{ confirmed: 'seen' }]);
  await ask('pml_continue', { run: answer.run, decision: 'approve' });
  await expectRemembered(1);
});

test('a value that was given or approved three times is no longer asked about', async () => {
  // A session that PML showed no plan wrote the reference itself.
  const other = await workspace.connect();
  for (const question of ['one', 'two two']) {
    const close = { ...CLOSE, args: { ticket_id: { $ref: 'find.ticket_id' } } };
    const tasks = [find(question), close];
    const args = { tasks, intent: 'close what is done' };
    expect(await other.text('pml_execute_workflow', args)).toContain('"completed"');
  }
  await other[Symbol.asyncDispose]();
  await expectRemembered(2);

  const answer = await workflow(find('again and again'), CLOSE);

  expect(answer).toMatchObject({
    status: 'completed',
    filled: [expect.stringContaining('close.ticket_id')],
  });
  expect(closed().at(-1)).toBe('T-15');
});
