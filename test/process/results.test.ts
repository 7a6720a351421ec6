/** Long results: handles that outlive the daemon and stand for their values. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusalOf, runCode, scriptServers } from '../helpers/code-client.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

/** How long PML keeps a result. A changed setting applies to later results. */
const [LONG_MS, SHORT_MS] = [600_000, 2_000];

let workspace: Workspace;
let client: PmlClient;
let preview: string;
let handle: string;

const configure = (resultTtlMs: number) =>
  workspace.configure({
    embedding: 'none',
    limits: { resultTtlMs },
    mcpServers: scriptServers({ root: workspace.path, ledger: 'ledger' }),
  });
const runTasks = (tasks: readonly object[]) => client.call('pml_execute_workflow', { tasks });

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  configure(LONG_MS);
  client = await workspace.connect();
  preview = textOf(await runTasks([{ tool: 'talk:rows', args: { count: 5_000 } }]));
  handle = /kept as (r_[\w-]+)/.exec(preview)?.[1] ?? '';
  await workspace.stop();
  configure(SHORT_MS);
  client = await workspace.connect();
});

afterAll(() => workspace[Symbol.asyncDispose]());

test('preview shows type, size, whole rows and how to read on [RESULT-LONG]', () => {
  const [title = '', rows = '', next = ''] = preview.split('\n');
  const shown = JSON.parse(rows) as { id: number }[];

  expect(title).toContain('Type: {rows: {id: number, name: string}[]}. 1 key; rows: 5000 items.');
  expect(shown.map(({ id }) => id)).toEqual(shown.map((_, index) => index));
  expect(next).toContain(`"path":"rows[${shown.length}:${2 * shown.length}]"`);
  expect(next).toContain(`{"$result":"${handle}","path":"rows[0:20].id"}`);
});

describe('after a restart of the daemon [RESULT-LASTS]', () => {
  test('client can read on in a kept result after a daemon restart', async () => {
    const args = { handle, path: 'rows[4998:5000].name' };

    const page = await runTasks([{ tool: 'pml:read_result', args }]);

    expect(textOf(page)).toBe('["row 4998","row 4999"]');
  });

  test('kept result is a resource after a daemon restart', async () => {
    const { result } = await client.request('resources/read', { uri: `pml://result/${handle}` });

    const contents = result?.['contents'] as { mimeType: string; text: string }[] | undefined;
    const content = contents?.[0];
    expect(content?.mimeType).toBe('application/json');
    expect((JSON.parse(content?.text ?? '') as { rows: object[] }).rows).toHaveLength(5_000);
  });

  test('script loads a kept result after a daemon restart', async () => {
    const told = await runCode(client, `return (await load(args.handle)).rows.at(-1).name`, {
      args: { handle },
    });

    expect(told.result).toBe('row 4999');
  });

  test('kept result can be an argument of a task and of a script [RESULT-PASSED]', async () => {
    const echoed = await runTasks([
      { tool: 'talk:echo', args: { text: { $result: handle, path: 'rows[7].name' } } },
    ]);
    const told = await runCode(client, `return args.rows.filter((row) => row.id < 3).length`, {
      args: { rows: { $result: handle, path: 'rows' } },
    });

    expect(textOf(echoed)).toBe('row 7');
    expect(told.result).toBe(3);
  });
});

test('unknown handle or a kept value of the wrong type is refused before anything runs', async () => {
  const append = { id: 'first', tool: 'one:append', args: { key: 'never' } };
  const echo = (text: object) => ({ id: 'second', tool: 'talk:echo', args: { text } });

  const unknown = await runTasks([append, echo({ $result: 'r_nobody' })]);
  const unfit = await runTasks([append, echo({ $result: handle, path: 'rows[0]' })]);

  expect(textOf(unknown)).toMatch(/^\[RESULT_NOT_FOUND\] task second: args.text: No result r_no/);
  expect(textOf(unfit)).toMatch(/^\[ARGUMENTS_INVALID\] task second: args.text/);
  expect(await refusalOf(client, 'return args', { args: { $result: 'r_nobody' } })).toMatch(
    /^\[RESULT_NOT_FOUND\]/,
  );
  expect(existsSync(join(workspace.path, 'ledger'))).toBe(false);
});

test('waiting run keeps the value when its handle expires and the daemon ends', async () => {
  const kept = textOf(await runTasks([{ tool: 'talk:rows', args: { count: 3_000 } }]));
  const short = /kept as (r_[\w-]+)/.exec(kept)?.[1] ?? '';
  const wipe = { tool: 'one:delete_all', args: { key: { $result: short, path: 'rows[5].name' } } };

  const asked = textOf(await runTasks([{ id: 'wipe', ...wipe }]));
  const { run } = JSON.parse(asked) as { run: string };
  const read = () => runTasks([{ tool: 'pml:read_result', args: { handle: short } }]);
  await expect.poll(async () => textOf(await read())).toMatch(/RESULT_NOT_FOUND.*expired at 20/);
  await workspace.stop();
  client = await workspace.connect();
  const again = textOf(await read());
  const told = await client.call('pml_continue', { run, decision: 'approve' });

  expect(again).toMatch(/RESULT_NOT_FOUND.*expired at 20/);
  expect(textOf(told)).toContain('deleted row 5');
});
