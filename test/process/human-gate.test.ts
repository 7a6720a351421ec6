/** Who may approve a call: an agent or only the user, however the tool is called. */
import { writeFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type Counter,
  createCounter,
  execute,
  firstText,
  goOn,
  type RunAnswer,
  runOf,
} from '../helpers/counter.js';
import { deferred } from '../helpers/deferred.js';
import type { Answer, PmlClient } from '../helpers/pml-client.js';

type Json = Record<string, unknown>;

const DECISIONS: readonly (readonly [string, Json])[] = [
  ['approve', {}],
  ['reject', {}],
  ['skip', {}],
  ['retry', { tasks: ['wipe'] }],
  ['inject', { tasks: [{ id: 'more', tool: 'one:append', args: { key: 'more' } }] }],
  ['replan', { requirement: 'more', tasks: [{ tool: 'one:append', args: { key: 'more' } }] }],
];

const wipe = (key: string, tool = 'one:delete_all') => [{ id: 'wipe', tool, args: { key } }];

/** An answer that does not wait for the user, with enough time for a busy machine. */
const SOON = 1_000;

let counter: Counter;
let client: PmlClient;

beforeAll(async () => {
  counter = await createCounter({
    permissions: {
      ask: ['one:append_idempotent', { tool: 'two:append_idempotent', by: 'person' }],
      read: ['two:append'],
    },
    exposure: { mode: 'hybrid', pin: ['two:delete_*', 'two:crash*'] },
    workflows: { idempotent: ['two:crash'] },
  });
  client = await counter.workspace.connect();
  // Both servers are up and listed before any time counts.
  await client.call('pml_read', { tasks: [{ tool: 'one:read' }, { tool: 'two:read' }] });
});

afterAll(() => counter[Symbol.asyncDispose]());

/** A client whose user sees the dialog until `answer` resolves with their decision. */
async function asking() {
  const answer = deferred<Json>();
  const asker = await counter.workspace.connect({
    capabilities: { elicitation: {} },
    answer: () => answer.promise,
  });
  return { asker, answer };
}

describe('approve in a request [SAFE-TIGHTEN]', () => {
  test.each([
    ['tasks', 'pml_execute_workflow', { tasks: wipe('t1') }],
    ['code', 'pml_execute_code', { code: `return await mcp.one.delete_all({ key: 't1' })` }],
  ])('approve: "never" is refused for %s, and nothing runs', async (_, tool, request) => {
    const answer = await client.call(tool, { ...request, approve: 'never' });

    expect(firstText(answer)).toMatch(/^\[BAD_REQUEST\].*approve.*"risky".*Leave it out/s);
    expect(counter.timesOf('t1')).toBe(0);
  });

  test('approve: "never" is not offered to agents', async () => {
    const { result } = await client.request('tools/list');
    const { tools } = result as { tools: readonly { name: string; inputSchema: Json }[] };
    const ours = tools.filter(({ name }) => name.startsWith('pml_'));

    expect(ours).toHaveLength(5);
    expect(JSON.stringify(ours.map(({ inputSchema }) => inputSchema))).not.toContain('never');
  });

  test('approve: "per_layer" asks before each layer', async () => {
    const tasks = [
      { id: 'a', tool: 'one:append', args: { key: 't2-a' } },
      { id: 'b', tool: 'one:append', args: { key: 't2-b' }, needs: ['a'] },
    ];

    const paused = runOf(await execute(client, tasks, { approve: 'per_layer' }));
    const before = counter.timesOf('t2-b');
    const done = runOf(await goOn(client, paused.run, 'approve'));

    expect([paused.status, before]).toEqual(['needs_approval', 0]);
    expect([done.status, counter.timesOf('t2-b')]).toEqual(['completed', 1]);
  });

  test('user at the terminal may loosen approval with a flag, a file may not', async () => {
    const { workspace } = counter;
    const plan = `${workspace.path}/loose.json`;
    await writeFile(plan, JSON.stringify({ tasks: wipe('t3'), approve: 'never' }));

    const byFile = await workspace.run('run', plan, '--json');
    const timesByFile = counter.timesOf('t3');
    const byFlag = await workspace.run('run', plan, '--approve', 'never', '--json');

    expect([byFile.code, timesByFile]).toEqual([1, 0]);
    expect(byFile.stderr).toContain('pml run --approve never');
    expect([byFlag.code, counter.timesOf('t3')]).toEqual([0, 1]);
  });
});

test('agent cannot add tasks to a run that its user started with a flag [SAFE-USER-LOOSENS]', async () => {
  const { workspace } = counter;
  const plan = `${workspace.path}/flag.json`;
  // A tool that "permissions.ask" names needs approval whatever the flag says.
  await writeFile(plan, JSON.stringify({ tasks: wipe('f1', 'one:append_idempotent') }));
  const begun = await workspace.run('run', plan, '--approve', 'never', '--json');
  const { run } = JSON.parse(begun.stdout) as { run: string };
  const more = [{ id: 'more', tool: 'one:delete_all', args: { key: 'f2' } }];

  const refusals = await Promise.all([
    goOn(client, run, 'inject', { tasks: more }),
    goOn(client, run, 'replan', { requirement: 'more', tasks: more }),
  ]);
  await goOn(client, run, 'approve');

  for (const refusal of refusals) {
    expect(firstText(refusal)).toMatch(/^\[USER_DECIDES\].*"never".*pml_execute_workflow/s);
  }
  expect(['f1', 'f2'].map(counter.timesOf)).toEqual([1, 0]);
});

describe('while the user is asked [SAFE-USER-FIRST]', () => {
  test('agent cannot decide while the user is asked, even after answer_within_ms', async () => {
    const { asker, answer } = await asking();
    const tasks = wipe('u1', 'one:append_idempotent');

    const told = runOf(await execute(asker, tasks, { answer_within_ms: SOON }));
    const refusals: string[] = [];
    for (const [decision, rest] of DECISIONS) {
      refusals.push(firstText(await goOn(asker, told.run, decision, rest)));
      refusals.push(firstText(await goOn(client, told.run, decision, rest)));
    }
    const waited = runOf(await goOn(client, told.run, 'wait', { answer_within_ms: 0 }));
    const before = counter.timesOf('u1');
    const waiting = goOn(asker, told.run, 'wait');
    answer.resolve({ action: 'accept', content: { allow: true } });
    await waiting;

    expect(told.status).toBe('needs_approval');
    expect(told.next).toContain('user is being asked');
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^\[USER_DECIDES\].*user is being asked.*"wait".*"abort"/s);
    }
    expect([waited.status, before]).toEqual(['needs_approval', 0]);
    expect(asker.asked).toHaveLength(1);
    expect(counter.timesOf('u1')).toBe(1);
  });

  test('agent can still abort the run while the user is asked', async () => {
    const { asker } = await asking();

    const told = runOf(await execute(asker, wipe('u2'), { answer_within_ms: SOON }));
    const ended = runOf(await goOn(asker, told.run, 'abort'));

    expect(ended.status).toBe('aborted');
    expect(counter.timesOf('u2')).toBe(0);
  });

  test('agent that does not wait for the dialog is referred to the user', async () => {
    const { asker, answer } = await asking();

    const told = runOf(await execute(asker, wipe('u3'), { answer_within_ms: 0 }));
    await expect
      .poll(async () => runOf(await goOn(client, told.run, 'wait', { answer_within_ms: 0 })).status)
      .toBe('needs_approval');
    const early = firstText(await goOn(asker, told.run, 'approve'));
    const waiting = goOn(asker, told.run, 'wait');
    await expect.poll(() => asker.asked.length).toBe(1);
    answer.resolve({ action: 'accept', content: { allow: true } });
    await waiting;

    expect(early).toMatch(/^\[USER_DECIDES\].*"wait"/s);
    expect(counter.timesOf('u3')).toBe(1);
  });

  test('agent decides when its user dismisses the dialog', async () => {
    const { asker, answer } = await asking();
    answer.resolve({ action: 'cancel' });

    const told = runOf(await execute(asker, wipe('u4')));
    await goOn(asker, told.run, 'approve');

    expect(told).toMatchObject({ status: 'needs_approval', asks: [{ tool: 'one:delete_all' }] });
    expect(told.next).toMatch(/^Ask the user/);
    expect(counter.timesOf('u4')).toBe(1);
  });

  test('other clients decide when the asked client disconnects', async () => {
    const { asker } = await asking();
    const told = runOf(await execute(asker, wipe('u5'), { answer_within_ms: SOON }));

    await asker.kill();

    await expect
      .poll(async () => firstText(await goOn(client, told.run, 'approve')))
      .not.toMatch(/USER_DECIDES/);
    expect(counter.timesOf('u5')).toBe(1);
  });

  test('user at the terminal can decide while a dialog is open', async () => {
    const { asker } = await asking();
    const told = runOf(await execute(asker, wipe('u6'), { answer_within_ms: SOON }));

    const { code } = await counter.workspace.run('continue', told.run, 'approve');

    expect(code).toBe(0);
    expect(counter.timesOf('u6')).toBe(1);
  });
});

describe('a client of the stateless revision [SAFE-USER-FIRST]', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const call = (from: PmlClient, name: string, args: Json, rest: Json = {}): Promise<Answer> =>
    from.request('tools/call', { name, arguments: args, ...rest, _meta: meta });
  const allow = ({ result }: Answer) => {
    const { requestState, inputRequests = {} } = result as { [key: string]: Json };
    const yes = { action: 'accept', content: { allow: true } };
    const keys = Object.keys(inputRequests);
    return { requestState, inputResponses: Object.fromEntries(keys.map((key) => [key, yes])) };
  };

  /** A client with a question that stays open longer than its answer may take. */
  async function asked(from: PmlClient, key: string) {
    const request = { tasks: wipe(key), intent: `asked about ${key}`, answer_within_ms: SOON };
    const answer = await call(from, 'pml_execute_workflow', request);
    await client.call('pml_read', { tasks: [{ tool: 'one:slow', args: { ms: 2 * SOON } }] });
    const open = firstText(await client.call('pml_continue', {}));
    const run = new RegExp(`(run_\\S+) \\([^)]*asked about ${key}`).exec(open)?.[1] ?? '';
    return { request, answer, run };
  }

  test('question to a stateless client stays open beyond answer_within_ms, and no agent decides meanwhile', async () => {
    const { request, answer, run } = await asked(client, 's1');
    const refusals = [
      firstText(await call(client, 'pml_continue', { run, decision: 'approve' })),
      firstText(await goOn(client, run, 'approve')),
    ];
    const before = counter.timesOf('s1');
    const done = await call(client, 'pml_execute_workflow', request, allow(answer));

    expect(answer.result?.['resultType']).toBe('input_required');
    for (const refusal of refusals) expect(refusal).toMatch(/^\[USER_DECIDES\].*being asked/s);
    expect(before).toBe(0);
    expect(firstText(done)).toBe('deleted s1');
    expect(counter.timesOf('s1')).toBe(1);
  });

  test('other clients decide when the asked stateless client is gone', async () => {
    const gone = await counter.workspace.connect();
    const { run } = await asked(gone, 's2');

    await gone.kill();

    await expect
      .poll(async () => firstText(await goOn(client, run, 'approve')))
      .not.toMatch(/USER_DECIDES/);
    expect(counter.timesOf('s2')).toBe(1);
  });
});

describe('a tool whose approval must come from a person [SAFE-PERSON]', () => {
  const tool = 'two:append_idempotent';

  test('agent cannot approve a tool that needs a person, and the error names what the user can do', async () => {
    const paused = runOf(await execute(client, wipe('p1', tool)));
    const refusals: string[] = [];
    for (const [decision, rest] of DECISIONS) {
      refusals.push(firstText(await goOn(client, paused.run, decision, rest)));
    }
    const before = counter.timesOf('p1');
    const { code } = await counter.workspace.run('continue', paused.run, 'approve');

    expect(paused).toMatchObject({
      status: 'needs_approval',
      asks: [{ tool, by: 'person', decisions: ['wait', 'abort'] }],
    });
    expect(paused.next).toContain(`pml continue ${paused.run} approve`);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^\[USER_DECIDES\].*permissions\.ask.*pml continue run_/s);
    }
    expect(before).toBe(0);
    expect([code, counter.timesOf('p1')]).toEqual([0, 1]);
  });

  test('agent cannot approve a tool that needs a person after its user dismissed the dialog', async () => {
    const { asker, answer } = await asking();
    answer.resolve({ action: 'cancel' });

    const paused = runOf(await execute(asker, wipe('p2', tool)));
    const refusal = firstText(await goOn(asker, paused.run, 'approve'));

    expect(refusal).toMatch(/^\[USER_DECIDES\].*only the user/s);
    expect(counter.timesOf('p2')).toBe(0);
  });

  test('user of a client that can ask approves a tool that needs a person', async () => {
    const { asker, answer } = await asking();
    answer.resolve({ action: 'accept', content: { allow: true } });

    await execute(asker, wipe('p3', tool));

    expect(counter.timesOf('p3')).toBe(1);
  });

  test('agent can approve the other calls of a run with a tool that needs a person', async () => {
    const tasks = [...wipe('p4', tool), { id: 'own', tool: 'one:delete_all', args: { key: 'p5' } }];

    const paused = runOf(await execute(client, tasks));
    const told = runOf(await goOn(client, paused.run, 'approve', { tasks: ['own'] }));

    expect(told.status).toBe('needs_approval');
    expect(['p4', 'p5'].map(counter.timesOf)).toEqual([0, 1]);
  });
});

describe('a tool called by its own name [SAFE-ADMIT]', () => {
  const direct = (name: string, key: string) => client.call(name, { key });

  test('direct call to an unlisted tool needs approval like a task', async () => {
    const paused: RunAnswer = runOf(await direct('one__delete_all', 'd1'));
    const before = counter.timesOf('d1');
    const done = await goOn(client, paused.run, 'approve');

    expect(paused).toMatchObject({
      status: 'needs_approval',
      asks: [{ tool: 'one:delete_all', args: { key: 'd1' } }],
    });
    expect(before).toBe(0);
    expect(firstText(done)).toBe('deleted d1');
    expect(counter.timesOf('d1')).toBe(1);
  });

  test('direct call asks the user if the client can ask', async () => {
    const { asker, answer } = await asking();
    answer.resolve({ action: 'decline' });

    await asker.call('one__delete_all', { key: 'd2' });

    expect(JSON.stringify(asker.asked[0]?.params)).toContain('one:delete_all');
    expect(counter.timesOf('d2')).toBe(0);
  });

  test('direct call to a listed tool passes: the client judges its annotations', async () => {
    expect(firstText(await direct('two__delete_all', 'd3'))).toBe('deleted d3');
  });

  test.each([
    ['is not repeated after a crash if only its server says that it reads', 'delete_and_crash', 1],
    ['is repeated after a crash if it reads', 'crash_reading', 2],
    ['is repeated after a crash if workflows.idempotent names it', 'crash', 2],
  ])('direct call %s', async (_, tool, times) => {
    await direct(`two__${tool}`, `again-${tool}`);

    expect(counter.timesOf(`again-${tool}`)).toBe(times);
  });

  test('direct call to a harmless unlisted tool passes', async () => {
    expect(firstText(await direct('one__append', 'd4'))).toBe('wrote d4');
  });

  test('direct call to a tool that needs a person is refused if the client cannot ask, listed or not', async () => {
    const paused = runOf(await direct('two__append_idempotent', 'd5'));

    expect(paused.asks).toMatchObject([{ by: 'person' }]);
    expect(firstText(await goOn(client, paused.run, 'approve'))).toMatch(/^\[USER_DECIDES\]/);
    expect(counter.timesOf('d5')).toBe(0);
  });
});

describe('pml_read [SAFE-READ-NAMES]', () => {
  const key = 'r1';

  test.each([
    ['a task', { tasks: [{ tool: 'one:delete_and_crash', args: { key } }] }],
    ['code', { code: `return await mcp.one.delete_and_crash({ key: '${key}' })` }],
    [
      'code that makes up the name',
      { code: `return await mcp.one['delete_' + 'and_crash']({ key: '${key}' })` },
    ],
  ])('pml_read does not reach a tool whose name says a change: %s', async (_, request) => {
    const answer = await client.call('pml_read', request);

    expect(firstText(answer)).toMatch(/TOOL_DENIED.*permissions\.read/s);
    expect(counter.timesOf(key)).toBe(0);
  });

  test('pml_read reaches a tool that reads by its name and its hint', async () => {
    const answer = await client.call('pml_read', { tasks: [{ tool: 'one:read' }] });

    expect(answer.result?.['isError']).toBeUndefined();
  });

  test('pml_read reaches a tool that permissions.read names', async () => {
    const tasks = [{ tool: 'two:append', args: { key: 'r2' } }];

    expect(firstText(await client.call('pml_read', { tasks }))).toBe('wrote r2');
  });
});
