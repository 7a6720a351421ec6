import { describe, expect, test } from 'vitest';

import { newRun } from '../../../test/helpers/begin-run.js';
import { deferred } from '../../../test/helpers/deferred.js';
import { fakeClient } from '../../../test/helpers/fake-client.js';
import { inTurn, never, text } from '../../../test/helpers/fake-tools.js';
import { gatewaySettings } from '../../../test/helpers/gateway-settings.js';
import { statuses, task } from '../../../test/helpers/run-parts.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type JsonObject, PmlError, taskId } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import { askHuman } from './ask-human.js';

const accept = (content: JsonObject) => async () => ({ action: 'accept', content });

async function paused(...args: Parameters<typeof newRun>) {
  const run = newRun(...args);
  run.live.start();
  await run.live.idle();
  return run;
}

/** The user configured approval of each layer. */
const LAYERS_OF_USER = {
  workflows: { ...gatewaySettings([]).workflows, approve: 'per_layer' },
} as const;

const held = () => paused([task('risky')]);
const waitsForEver = (_: JsonObject, signal: AbortSignal) => never({ signal });

test('a client that cannot ask its user is not asked', async () => {
  const { workflows } = await runWorkflows();
  const { live } = await held();

  expect(await askHuman(workflows, live, fakeClient('a').context)).toBe(false);
});

describe('an answer of the user', () => {
  test.each<[string, JsonObject, boolean, string]>([
    ['allow', { action: 'accept', content: { allow: true } }, true, 'completed'],
    ['do not allow', { action: 'accept', content: { allow: false } }, true, 'skipped'],
    ['nothing in it', { action: 'accept' }, true, 'skipped'],
    ['decline', { action: 'decline' }, true, 'skipped'],
    ['cancel', { action: 'cancel' }, false, 'needs_approval'],
    ['nonsense', { action: 7 }, false, 'needs_approval'],
  ])('an answer of the user decides a held call: %s', async (_, answer, isDecided, status) => {
    const { workflows } = await runWorkflows();
    const { live } = await held();
    const client = fakeClient('a', { ask: async () => answer });

    expect(await askHuman(workflows, live, client.context)).toBe(isDecided);
    await live.idle();

    expect(statuses(live.state)).toEqual({ risky: status });
    expect(client.asked[0]?.['message']).toContain('fake:risky');
  });

  // covers: APPROVE-ALL-CALLS
  test('an answer for all calls of a tool is not asked for again in the run', async () => {
    const { workflows } = await runWorkflows();
    const again = { ...task('again', ['risky']), tool: task('risky').tool };
    const { live } = await paused([task('risky'), again]);
    const client = fakeClient('a', { ask: accept({ allow: true, all_calls: true }) });

    expect(await askHuman(workflows, live, client.context)).toBe(true);
    await live.idle();

    expect(statuses(live.state)).toEqual({ risky: 'completed', again: 'completed' });
    expect(client.asked).toHaveLength(1);
    expect(client.asked[0]?.['message']).toMatch(/^Allow this call\?\n- fake:risky with /);
  });

  test('the answer "retry" to a layer after a failure retries the failed task', async () => {
    const { workflows } = await runWorkflows({ changes: LAYERS_OF_USER });
    const answers = { a: inTurn(new PmlError('TOOL_FAILED', 'no'), text('yes')) };
    const { live } = await paused([task('a'), task('b', ['a'])], {
      approve: 'per_layer',
      answers,
    });
    const client = fakeClient('a', { ask: accept({ decision: 'retry' }) });

    expect(await askHuman(workflows, live, client.context)).toBe(true);
    await live.idle();

    expect(statuses(live.state)).toEqual({ a: 'completed', b: 'needs_approval' });
  });

  test('the answer "go_on" to a layer after a failure runs the remaining tasks', async () => {
    const { workflows } = await runWorkflows({ changes: LAYERS_OF_USER });
    const answers = { a: new PmlError('TOOL_FAILED', 'no') };
    const tasks = [task('a'), task('b'), task('c', ['b']), task('d', ['a'])];
    const { live } = await paused(tasks, { approve: 'per_layer', answers });
    const client = fakeClient('a', { ask: accept({ decision: 'go_on' }) });

    expect(await askHuman(workflows, live, client.context)).toBe(true);
    await live.idle();

    expect(statuses(live.state)).toEqual({
      a: 'failed',
      b: 'completed',
      c: 'completed',
      d: 'skipped',
    });
  });
});

describe('a dialog decides about the calls that it shows [SAFE-SHOWN-CALLS]', () => {
  const many = Array.from({ length: 25 }, (_, index) => task(`risky${index}`));
  const allow = { action: 'accept', content: { allow: true } };

  test.each([
    ['allows', allow, 'completed'],
    ['declines', { action: 'decline' }, 'skipped'],
  ])('a user who %s the shown calls is asked again for the rest', async (_, answer, status) => {
    const { workflows } = await runWorkflows();
    const { live } = await paused(many);
    const client = fakeClient('a', { ask: async () => answer });

    await askHuman(workflows, live, client.context);
    await live.idle();
    const first = Object.values(statuses(live.state));
    await askHuman(workflows, live, client.context);
    await live.idle();

    expect(first).toEqual([...Array(20).fill(status), ...Array(5).fill('needs_approval')]);
    expect(client.asked[0]?.['message']).toContain('5 more are asked about afterwards');
    expect(client.asked[1]?.['message']).toContain('task risky24');
    expect(live.state.finished).toBeDefined();
  });

  test('a dialog after many failures still shows the calls that would run next', async () => {
    const { workflows } = await runWorkflows({ changes: LAYERS_OF_USER });
    const failing = Array.from({ length: 30 }, (_, index) => task(`f${index}`));
    const answers = Object.fromEntries(
      failing.map(({ id }) => [id, new PmlError('TOOL_FAILED', 'no')]),
    );
    const { live } = await paused([...failing, task('b'), task('riskyC', ['b'])], {
      approve: 'per_layer',
      answers,
    });
    const client = fakeClient('a', { ask: accept({ decision: 'go_on' }) });

    await askHuman(workflows, live, client.context);
    await live.idle();

    expect(client.asked[0]?.['message']).toContain('[task riskyC]');
    expect(statuses(live.state)).toMatchObject({ riskyC: 'completed' });
  });

  test('an answer to a question that was withdrawn decides nothing', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await held();
    const answer = deferred<JsonObject>();
    const client = fakeClient('a', { ask: () => answer.promise });
    const asking = askHuman(workflows, live, client.context);

    await live.decide({ kind: 'inject', tasks: [task('more')] }, 'user', {
      context: { id: 'other' },
    });
    await expect.poll(() => workflows.dialogs.isOpen(live)).toBe(false);
    answer.resolve(allow);

    expect(await asking).toBe(true);
    expect(client.told).toEqual([
      expect.objectContaining({ data: expect.stringContaining('came too late') as string }),
    ]);
    expect(statuses(live.state)).toMatchObject({ risky: 'needs_approval' });
  });
});

describe('of several who decide the first wins', () => {
  const approve = (live: LiveRun) =>
    live.decide({ kind: 'approve', tasks: [taskId('risky')] }, 'agent');

  test('a dialog closes with the decision, before the approved call ends', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await paused([task('risky')], { answers: { risky: never } });
    const client = fakeClient('a', { ask: waitsForEver });
    const asking = askHuman(workflows, live, client.context);

    await approve(live);

    expect(await asking).toBe(true);
    expect(live.phase).toBe('running');
    expect(client.told).toEqual([]);
  });

  test('a user who answers a dialog that could not be closed is notified', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await held();
    const answer = deferred<JsonObject>();
    const client = fakeClient('a', { ask: () => answer.promise });
    const asking = askHuman(workflows, live, client.context);

    await approve(live);
    answer.resolve({ action: 'decline' });

    expect(await asking).toBe(true);
    expect(client.told).toEqual([
      expect.objectContaining({ data: expect.stringContaining('came too late') as string }),
    ]);
    expect(statuses(live.state)).toEqual({ risky: 'completed' });
  });

  test('the first answer of two users decides, and the dialog of the other user closes', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await held();
    const slow = fakeClient('a', { ask: waitsForEver });
    const quick = fakeClient('b', { ask: accept({ allow: true }) });

    const both = [
      askHuman(workflows, live, slow.context),
      askHuman(workflows, live, quick.context),
    ];

    expect(await Promise.all(both)).toEqual([true, true]);
    expect(live.state.decisions).toHaveLength(1);
  });
});

test('an agent that waits again does not open a second dialog', async () => {
  const { workflows } = await runWorkflows();
  const { live } = await held();
  const answer = deferred<JsonObject>();
  const first = fakeClient('a', { ask: () => answer.promise });
  const again = fakeClient('a', { ask: () => answer.promise });

  const both = [askHuman(workflows, live, first.context), askHuman(workflows, live, again.context)];
  answer.resolve({ action: 'accept', content: { allow: true } });

  expect(await Promise.all(both)).toEqual([true, true]);
  expect([first.asked.length, again.asked.length]).toEqual([1, 0]);
});

test('a dialog is open until its answer arrives or another client decides', async () => {
  const { workflows } = await runWorkflows();
  const [{ live }, { live: other }] = [await held(), await held()];
  const answer = deferred<JsonObject>();
  const asked = fakeClient('a', { ask: () => answer.promise });
  const deaf = fakeClient('b', { ask: () => new Promise(() => {}) });

  const asking = askHuman(workflows, live, asked.context);
  void askHuman(workflows, other, deaf.context);
  const before = [live, other].map((one) => workflows.dialogs.isOpen(one));
  answer.resolve({ action: 'cancel' });
  await asking;
  await other.decide({ kind: 'approve', tasks: [taskId('risky')] }, 'user');
  await other.idle();

  expect(before).toEqual([true, true]);
  expect([live, other].map((one) => workflows.dialogs.isOpen(one))).toEqual([false, false]);
  expect(workflows.dialogs.wasLeft(live, taskId('risky'))).toBe(true);
  expect(workflows.dialogs.wasLeft(other, taskId('risky'))).toBe(false);
});

test('a session that closes under an open dialog leaves the decision to the agent', async () => {
  const { workflows, logger } = await runWorkflows();
  const { live } = await held();
  const client = fakeClient('a', { ask: () => Promise.reject(new Error('the client has left')) });

  expect(await askHuman(workflows, live, client.context)).toBe(false);
  expect(live.phase).toBe('paused');
  expect(logger.warnings).toEqual([]);
});

describe('a run whose agent asked for an approval of each layer', () => {
  const allow = accept({ allow: true });

  test('a run with per-layer approval by its agent pauses for the agent before a layer and asks no user', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await paused([task('a'), task('b', ['a'])], { approve: 'per_layer' });
    const client = fakeClient('a', { ask: allow });

    expect(await askHuman(workflows, live, client.context)).toBe(false);
    expect(client.asked).toEqual([]);
    expect(statuses(live.state)).toEqual({ a: 'completed', b: 'needs_approval' });
  });

  test('a run with per-layer approval by its agent pauses for the agent after a failure', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await paused([task('a'), task('b'), task('delete_b', ['a'])], {
      approve: 'per_layer',
      answers: { a: new PmlError('TOOL_FAILED', 'no') },
    });
    const client = fakeClient('a', { ask: allow });

    expect(await askHuman(workflows, live, client.context)).toBe(false);
    expect(client.asked).toEqual([]);
  });

  test('a run with per-layer approval by its agent asks the user about risky calls only', async () => {
    const { workflows } = await runWorkflows();
    const { live } = await paused([task('a'), task('b', ['a']), task('delete_b', ['a'])], {
      approve: 'per_layer',
    });
    const client = fakeClient('a', { ask: allow });

    const first = await askHuman(workflows, live, client.context);
    await live.idle();
    const second = await askHuman(workflows, live, client.context);

    expect([first, second]).toEqual([true, false]);
    expect(client.asked).toHaveLength(1);
    expect(client.asked[0]?.['message']).toContain('fake:delete_b');
    expect(client.asked[0]?.['message']).not.toContain('fake:b');
    expect(statuses(live.state)).toEqual({
      a: 'completed',
      b: 'needs_approval',
      delete_b: 'completed',
    });
  });
});

test('a message of the user is recorded with the decision, and is the reason of a rejection', async () => {
  const { workflows } = await runWorkflows();
  const [{ live: allowed }, { live: refused }] = [await held(), await held()];
  const says = (allow: boolean) => {
    return fakeClient('a', { ask: accept({ allow, message: ' not on a Friday ' }) }).context;
  };

  await askHuman(workflows, allowed, says(true));
  await askHuman(workflows, refused, says(false));

  const said = [{ at: expect.any(Number) as number, by: 'human', text: 'not on a Friday' }];
  expect(allowed.state.messages).toEqual(said);
  expect(refused.state.messages).toEqual(said);
  expect(refused.state.tasks[0]).toMatchObject({
    because: 'rejected by the human: not on a Friday',
  });
});
