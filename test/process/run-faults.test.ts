/** Runs whose servers crash, hang and send garbage, and whose clients disconnect. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { askDaemon } from '../../src/daemon/index.js';
import {
  type Counter,
  createCounter,
  execute,
  firstText,
  goOn,
  type RunAnswer,
  runOf,
} from '../helpers/counter.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { ALL_CAPABILITIES, answerEverything, connectSdk } from '../helpers/sdk-client.js';
import { killIfAlive } from '../helpers/workspace.js';

let counter: Counter;
let client: PmlClient;

beforeAll(async () => {
  counter = await createCounter({ permissions: { ask: ['two:append_idempotent'] } });
  client = await counter.workspace.connect();
});

afterAll(() => counter[Symbol.asyncDispose]());

const append = (id: string, rest: object = {}) => ({
  id,
  tool: 'one:append',
  args: { key: id, ...rest },
});

const statuses = ({ tasks }: RunAnswer) =>
  Object.fromEntries(Object.entries(tasks).map(([id, { status }]) => [id, status]));

async function appeared(key: string): Promise<void> {
  await expect.poll(() => counter.timesOf(key)).toBe(1);
}

/** Waits until the run is no longer running, over several answers if needed. */
async function collect(by: PmlClient, run: string): Promise<RunAnswer> {
  for (;;) {
    const told = runOf(await goOn(by, run, 'wait'));
    if (told.status !== 'running') return told;
  }
}

/** The only run of this intent, as a client that lost the answer finds it. */
async function findOpenRun(by: PmlClient, intent: string): Promise<string> {
  const text = firstText(await by.call('pml_continue', {}));
  const run = new RegExp(`(run_\\S+) \\([a-z_]+: ${intent}\\)`).exec(text)?.[1];
  if (!run) throw new Error(`no unfinished run ${intent}: ${text}`);
  return run;
}

describe('a server', () => {
  test('server crash fails a writing call; other tasks finish and its dependants do not start', async () => {
    const told = runOf(
      await execute(client, [
        { id: 'c', tool: 'one:crash', args: { key: 'c1' } },
        { id: 'next', tool: 'two:append', args: { key: 'c1-next', after: { $ref: 'c' } } },
        { id: 'free', tool: 'two:append', args: { key: 'c1-free', afterMs: 100 } },
      ]),
    );

    expect(statuses(told)).toEqual({ c: 'failed', next: 'skipped', free: 'completed' });
    expect(told.status).toBe('failed');
    expect(told.tasks['c']?.error).toMatchObject({
      code: 'SERVER_CRASHED',
      message: expect.stringContaining('may or may not have been carried out') as string,
    });
    expect(['c1', 'c1-next', 'c1-free'].map(counter.timesOf)).toEqual([1, 0, 1]);
  });

  test('PML retries a read-only call after its server crashed', async () => {
    const told = runOf(
      await execute(client, [
        { id: 'c', tool: 'one:crash_reading', args: { key: 'c2' } },
        { id: 'next', tool: 'two:append', args: { key: 'c2-next', after: { $ref: 'c' } } },
      ]),
    );

    expect(told.status).toBe('completed');
    expect(counter.timesOf('c2')).toBe(2);
    expect(counter.timesOf('c2-next')).toBe(1);
  });

  test('PML retries a transient failure up to the retry limit', async () => {
    const told = runOf(
      await execute(client, [
        { id: 'soon', tool: 'one:fail', args: { key: 'f-soon', times: 2 } },
        { id: 'never', tool: 'one:fail', args: { key: 'f-never', times: 99 } },
      ]),
    );

    expect(statuses(told)).toEqual({ soon: 'completed', never: 'failed' });
    expect(told.tasks['never']).toMatchObject({ attempts: 3, error: { code: 'TOOL_FAILED' } });
    expect(counter.timesOf('f-never')).toBe(3);
  });

  test('call to a hanging server times out after the time of its task', async () => {
    const told = runOf(
      await execute(client, [
        { id: 'h', tool: 'one:hang', args: { key: 'h1' }, timeout_ms: 300 },
        { id: 'next', tool: 'one:append', args: { key: 'h1-next' }, needs: ['h'] },
        { id: 'free', tool: 'one:append', args: { key: 'h1-free' } },
      ]),
    );

    expect(statuses(told)).toEqual({ h: 'failed', next: 'skipped', free: 'completed' });
    expect(told.tasks['h']?.error).toMatchObject({
      code: 'TOOL_TIMED_OUT',
      message: expect.stringContaining('may or may not') as string,
    });
    expect(counter.timesOf('h1')).toBe(1);
  });

  test('server that prints garbage is still understood, and an invalid result fails only its task', async () => {
    const told = runOf(
      await execute(client, [
        { id: 'lines', tool: 'one:garbage', args: { kind: 'lines' } },
        { id: 'shape', tool: 'one:garbage', args: { kind: 'shape' } },
        append('g1'),
      ]),
    );

    expect(statuses(told)).toEqual({ lines: 'completed', shape: 'failed', g1: 'completed' });
    expect(told.tasks['shape']?.error?.code).toBe('SERVER_PROTOCOL_ERROR');
  });
});

describe('a client', () => {
  test('client that asked for an early answer gets partial results and collects the rest later', async () => {
    const tasks = [append('e-fast'), append('e-slow', { beforeMs: 2_500 })];
    const early = runOf(await execute(client, tasks, { answer_within_ms: 1_000 }));

    expect(early.status).toBe('running');
    expect(statuses(early)).toEqual({ 'e-fast': 'completed', 'e-slow': 'running' });
    const late = await collect(client, early.run);
    expect(late.status).toBe('completed');
    expect(['e-fast', 'e-slow'].map(counter.timesOf)).toEqual([1, 1]);
  });

  test('client that cancels its request ends its run and the calls of the run', async () => {
    const tasks = [
      { id: 'h', tool: 'one:hang', args: { key: 'x1' } },
      append('x1-next', { after: { $ref: 'h' } }),
    ];
    client.send({
      id: 'to-cancel',
      method: 'tools/call',
      params: { name: 'pml_execute_workflow', arguments: { tasks, intent: 'cancel me' } },
    });
    await appeared('x1');
    const run = await findOpenRun(client, 'cancel me');
    const before = counter.timesOf('cancelled');

    client.notify('notifications/cancelled', { requestId: 'to-cancel' });

    const told = await collect(client, run);
    expect(told.status).toBe('aborted');
    expect(statuses(told)).toEqual({ h: 'failed', 'x1-next': 'skipped' });
    await expect.poll(() => counter.timesOf('cancelled')).toBe(before + 1);
    expect(counter.timesOf('x1-next')).toBe(0);
  });

  // covers: RUN-OUTLIVES
  test('run of a disconnected client can be collected by another client', async () => {
    const gone = await counter.workspace.connect();
    const tasks = [append('d1', { afterMs: 1_500 }), append('d2', { after: { $ref: 'd1' } })];
    void execute(gone, tasks, { intent: 'left alone' });
    await appeared('d1');
    const run = await findOpenRun(client, 'left alone');

    await gone.kill();

    const told = await collect(client, run);
    expect(told.status).toBe('completed');
    expect(['d1', 'd2'].map(counter.timesOf)).toEqual([1, 1]);
  });

  test('run of a disconnected client ends if the configuration says so', async () => {
    await using own = await createCounter({ workflows: { onDisconnect: 'abort' } });
    const gone = await own.workspace.connect();
    const other = await own.workspace.connect();
    const tasks = [append('d3', { afterMs: 60_000 }), append('d4', { after: { $ref: 'd3' } })];
    void execute(gone, tasks, { intent: 'given up' });
    await expect.poll(() => own.timesOf('d3')).toBe(1);
    const run = await findOpenRun(other, 'given up');

    await gone.kill();

    // A waiting client keeps the run alive: none may wait before PML knows the first is gone.
    const open = async () => firstText(await other.call('pml_continue', {}));
    await expect.poll(open).not.toContain(run);
    const told = await collect(other, run);
    expect(told.status).toBe('aborted');
    expect(statuses(told)).toEqual({ d3: 'failed', d4: 'skipped' });
    expect(own.timesOf('d4')).toBe(0);
  });

  test('client whose daemon dies during a workflow gets an error that says how to find the run', async () => {
    const call = execute(client, [append('l1', { afterMs: 60_000 })], { intent: 'lost' });
    await appeared('l1');

    killIfAlive(counter.workspace.daemonPid());

    const { error } = await call;
    expect(error).toMatchObject({ code: -32_010, data: { retryable: false } });
    expect(error?.message).toContain('pml_continue');
    const told = await collect(client, await findOpenRun(client, 'lost'));
    expect(told.asks).toMatchObject([
      { task: 'l1', tool: 'one:append', args: { key: 'l1', afterMs: 60_000 } },
    ]);
    await goOn(client, told.run, 'abort');
  });
});

test('stopped daemon waits for short calls; the next daemon resumes and asks about long ones', async () => {
  const tasks = [
    append('s1', { afterMs: 700 }),
    append('s2', { after: { $ref: 's1' }, beforeMs: 1_000 }),
    append('s-long', { afterMs: 60_000 }),
  ];
  const call = execute(client, tasks, { intent: 'stopped' });
  await appeared('s-long');

  await askDaemon(counter.workspace.dataDir, 'stop');

  await call;
  const told = await collect(client, await findOpenRun(client, 'stopped'));
  expect(told.status).toBe('needs_decision');
  expect(statuses(told)).toEqual({ s1: 'completed', s2: 'completed', 's-long': 'in_doubt' });
  const done = runOf(await goOn(client, told.run, 'skip', { result: 'it is there' }));
  expect(done.status).toBe('completed');
  expect(['s1', 's2', 's-long'].map(counter.timesOf)).toEqual([1, 1, 1]);
});

describe('decisions', () => {
  // covers: RUN-DECISIONS
  test('only one of two concurrent decisions counts, and the other gets an error', async () => {
    const other = await counter.workspace.connect();
    const { run } = runOf(
      await execute(client, [{ id: 'x', tool: 'one:delete_all', args: { key: 'two-1' } }]),
    );

    const answers = await Promise.all([
      goOn(client, run, 'approve', { tasks: ['x'] }),
      goOn(other, run, 'approve', { tasks: ['x'] }),
    ]);

    const texts = answers.map(firstText);
    // The run may be over before the second decision arrives.
    expect(texts.filter((text) => /^\[RUN_(DECIDED|FINISHED)\]/.test(text))).toHaveLength(1);
    expect(counter.timesOf('two-1')).toBe(1);
  });

  test('decision on a finished or unknown run is refused with a remedy', async () => {
    const { run } = runOf(await execute(client, [append('o1'), append('o2')]));

    const finished = await goOn(client, run, 'retry', { tasks: ['o1'] });
    const unknown = await goOn(client, 'run_nobody', 'approve');

    expect(firstText(finished)).toMatch(/^\[RUN_FINISHED\].*completed/);
    expect(finished.result?.['isError']).toBe(true);
    expect(firstText(unknown)).toMatch(/^\[RUN_UNKNOWN\].*pml_continue without "run"/);
    expect(firstText(unknown)).not.toContain(run);
    expect(counter.timesOf('o1')).toBe(1);
  });
});

describe('a human behind the client', () => {
  /** A run whose only call was pending when the daemon died. */
  async function doubtful(key: string): Promise<string> {
    const call = execute(client, [append(key, { afterMs: 60_000 })], { intent: key });
    await appeared(key);
    killIfAlive(counter.workspace.daemonPid());
    await call;
    return findOpenRun(client, key);
  }

  test('user is asked whether PML may retry a call in doubt', async () => {
    const run = await doubtful('doubt-1');
    const asking = await counter.workspace.connect({
      capabilities: { elicitation: {} },
      answer: () => ({ action: 'accept', content: { decision: 'skip' } }),
    });

    const told = runOf(await goOn(asking, run, 'wait'));

    expect(JSON.stringify(asking.asked[0]?.params)).toMatch(/doubt-1.*may or may not/);
    expect(statuses(told)).toEqual({ 'doubt-1': 'skipped' });
    expect(counter.timesOf('doubt-1')).toBe(1);
  });

  test('other clients can decide when a user disconnects before answering', async () => {
    const asking = await counter.workspace.connect({
      capabilities: { elicitation: {} },
      answer: () => {
        asking.child.kill('SIGKILL');
        return {};
      },
    });
    const tasks = [{ id: 'wipe', tool: 'one:delete_all', args: { key: 'gone-1' } }];
    await execute(asking, tasks, { intent: 'asked and gone' });

    const run = await findOpenRun(client, 'asked and gone');

    expect((await collect(client, run)).status).toBe('needs_approval');
    expect(counter.timesOf('gone-1')).toBe(0);
    await goOn(client, run, 'approve');
    expect(counter.timesOf('gone-1')).toBe(1);
  });

  test('user of a stateless client is asked by ending the request', async () => {
    await using asking = await connectSdk(counter.workspace, {
      era: 'modern',
      capabilities: ALL_CAPABILITIES,
      prepare: answerEverything,
    });

    const answer = await asking.callTool({
      name: 'pml_execute_workflow',
      arguments: { tasks: [append('m-1'), { tool: 'one:delete_all', args: { key: 'm-2' } }] },
    });

    expect(answer).toMatchObject({ structuredContent: { status: 'completed' } });
    expect(['m-1', 'm-2'].map(counter.timesOf)).toEqual([1, 1]);
  });
});

describe('approval', () => {
  const risky = (key: string) => [
    append(`${key}-before`),
    { id: 'wipe', tool: 'one:delete_all', args: { key }, needs: [`${key}-before`] },
    append(`${key}-after`, { after: { $ref: 'wipe' } }),
  ];
  const happened = (key: string) => [`${key}-before`, key, `${key}-after`].map(counter.timesOf);

  // covers: RUN-APPROVAL
  test('run needs approval before a risky call; approval makes it once and repeats nothing', async () => {
    const paused = runOf(await execute(client, risky('a1')));

    expect(paused.status).toBe('needs_approval');
    expect(paused.asks).toMatchObject([
      { task: 'wipe', tool: 'one:delete_all', args: { key: 'a1' } },
    ]);
    expect(happened('a1')).toEqual([1, 0, 0]);
    const done = runOf(await goOn(client, paused.run, 'approve'));
    expect(done.status).toBe('completed');
    expect(happened('a1')).toEqual([1, 1, 1]);
  });

  test('refused approval skips the call and the tasks that need it', async () => {
    const { run } = runOf(await execute(client, risky('a2')));

    const done = runOf(await goOn(client, run, 'reject', { because: 'too dangerous' }));

    expect(done.status).toBe('rejected');
    expect(statuses(done)).toEqual({
      'a2-before': 'completed',
      wipe: 'skipped',
      'a2-after': 'skipped',
    });
    expect(done.tasks['wipe']?.because).toContain('too dangerous');
    expect(happened('a2')).toEqual([1, 0, 0]);
  });

  test('new daemon asks again for a pending approval and repeats nothing', async () => {
    const { run } = runOf(await execute(client, risky('a3')));

    killIfAlive(counter.workspace.daemonPid());
    const paused = await collect(client, run);

    expect(paused.status).toBe('needs_approval');
    expect(paused.asks).toMatchObject([{ task: 'wipe', args: { key: 'a3' } }]);
    expect(happened('a3')).toEqual([1, 0, 0]);
    expect(runOf(await goOn(client, run, 'approve')).status).toBe('completed');
    expect(happened('a3')).toEqual([1, 1, 1]);
  });

  test('run needs approval for a harmless tool that permissions.ask names', async () => {
    const tasks = [{ id: 'x', tool: 'two:append_idempotent', args: { key: 'a4' } }];
    const paused = runOf(await execute(client, tasks, { approve: 'risky' }));

    expect(paused.status).toBe('needs_approval');
    expect(counter.timesOf('a4')).toBe(0);
    await goOn(client, paused.run, 'approve');
    expect(counter.timesOf('a4')).toBe(1);
  });

  test('run needs no approval when the configuration says never', async () => {
    await using own = await createCounter({ workflows: { approve: 'never' } });
    const agent = await own.workspace.connect();

    const done = runOf(await execute(agent, risky('a5'), { approve: 'never' }));
    const asked = runOf(await execute(agent, risky('a5-more'), { approve: 'risky' }));

    expect([done.status, own.timesOf('a5')]).toEqual(['completed', 1]);
    expect([asked.status, own.timesOf('a5-more')]).toEqual(['needs_approval', 0]);
  });

  test('run with per-layer approval stops between the layers', async () => {
    const first = runOf(await execute(client, risky('a6'), { approve: 'per_layer' }));
    expect(first.asks?.map(({ task }) => task)).toEqual(['wipe']);
    expect(happened('a6')).toEqual([1, 0, 0]);

    const second = runOf(await goOn(client, first.run, 'approve'));
    expect(second.asks?.map(({ task }) => task)).toEqual(['a6-after']);
    expect(happened('a6')).toEqual([1, 1, 0]);

    expect(runOf(await goOn(client, first.run, 'approve')).status).toBe('completed');
    expect(happened('a6')).toEqual([1, 1, 1]);
  });

  test('approval by the user is enough, and a later one by the agent is refused', async () => {
    const asking = await counter.workspace.connect({
      capabilities: { elicitation: {} },
      answer: () => ({ action: 'accept', content: { allow: true } }),
    });

    const done = runOf(await execute(asking, risky('a7')));

    expect(done.status).toBe('completed');
    expect(asking.asked.map(({ method }) => method)).toEqual(['elicitation/create']);
    expect(JSON.stringify(asking.asked[0]?.params)).toContain('one:delete_all');
    expect(firstText(await goOn(asking, done.run, 'approve'))).toMatch(/^\[RUN_FINISHED\]/);
    expect(happened('a7')).toEqual([1, 1, 1]);
  });

  test('approval by the user during the run leaves nothing for the agent to approve', async () => {
    const asking = await counter.workspace.connect({
      capabilities: { elicitation: {} },
      answer: () => ({ action: 'accept', content: { allow: true } }),
    });
    const tasks = [...risky('a8'), append('a8-slow', { after: { $ref: 'wipe' }, afterMs: 3_000 })];

    const told = runOf(await execute(asking, tasks, { answer_within_ms: 1_500 }));
    const late = await goOn(client, told.run, 'approve', { tasks: ['wipe'] });

    expect(told.status).toBe('running');
    expect(firstText(late)).toMatch(/^\[RUN_DECIDED\].*human/);
    expect((await collect(client, told.run)).status).toBe('completed');
    expect(happened('a8')).toEqual([1, 1, 1]);
  });

  test('call that the user refuses is not made; the agent decides if the user does not answer', async () => {
    const refusing = await counter.workspace.connect({
      capabilities: { elicitation: {} },
      answer: () => ({ action: 'decline' }),
    });
    const absent = await counter.workspace.connect({
      capabilities: { elicitation: {} },
      answer: () => ({ action: 'cancel' }),
    });

    expect(statuses(runOf(await execute(refusing, risky('a9'))))['wipe']).toBe('skipped');
    const paused = runOf(await execute(absent, risky('a10')));

    expect(paused.status).toBe('needs_approval');
    expect(happened('a9')).toEqual([1, 0, 0]);
    expect(happened('a10')).toEqual([1, 0, 0]);
  });
});
