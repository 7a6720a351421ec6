import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../test/helpers/fake-client.js';
import { inTurn, never, text } from '../../test/helpers/fake-tools.js';
import { gatewaySettings } from '../../test/helpers/gateway-settings.js';
import { statuses } from '../../test/helpers/run-parts.js';
import { runWorkflows, type RunWorkflowsOptions } from '../../test/helpers/run-workflows.js';
import { type JsonObject, PmlError, runId, taskId } from '../core/index.js';
import { serveContinue } from './serve-continue.js';
import { serveWorkflow, startWorkflow } from './serve-workflow.js';

const RUN = runId('run_1');

async function begun(request: JsonObject, options?: RunWorkflowsOptions) {
  const parts = await runWorkflows(options);
  const { context } = fakeClient('a');
  await serveWorkflow(parts.workflows, request, context);
  return {
    ...parts,
    go: (args: JsonObject, client = fakeClient('a')) =>
      serveContinue(parts.workflows, { run: RUN, ...args }, client.context),
    statuses: async () => statuses((await parts.workflows.runs.find(RUN)).state),
  };
}

const HELD = { tasks: [{ id: 't', tool: 'fake:delete_a' }] };
const ASKS_PERSON = {
  allow: [],
  ask: [{ tool: 'fake:delete_*', by: 'person' as const }],
  deny: [],
};
const failed = new PmlError('TOOL_FAILED', 'no');

test('a held task runs after approve and is skipped after reject or abort', async () => {
  const outcomes = ['approve', 'reject', 'abort'].map(async (decision) => {
    const run = await begun(HELD);
    await run.go({ decision });
    return run.statuses();
  });

  expect(await Promise.all(outcomes)).toEqual([
    { t: 'completed' },
    { t: 'skipped' },
    { t: 'skipped' },
  ]);
});

describe('approve with all_calls', () => {
  const tasks = [
    { id: 'one', tool: 'fake:delete_a' },
    { id: 'two', tool: 'fake:delete_a', needs: ['one'] },
    { id: 'other', tool: 'fake:delete_b', needs: ['two'] },
  ];

  test('approve with all_calls covers further calls of the same tool, and of no other', async () => {
    const run = await begun({ tasks });

    await run.go({ decision: 'approve', all_calls: true });

    expect(await run.statuses()).toEqual({
      one: 'completed',
      two: 'completed',
      other: 'needs_approval',
    });
  });

  test('approve with all_calls is offered in the answer only if the tool may be called again', async () => {
    const again = await begun({ tasks });
    const once = await begun(HELD);

    expect(JSON.stringify(await again.go({ decision: 'wait' }))).toContain('all_calls');
    expect(JSON.stringify(await once.go({ decision: 'wait' }))).not.toContain('all_calls');
  });

  test('approve with all_calls by an agent is refused if a person must approve, and nothing runs', async () => {
    const settings = gatewaySettings(['fake'], { permissions: ASKS_PERSON });
    const run = await begun({ tasks }, { changes: settings });

    await expect(run.go({ decision: 'approve', all_calls: true })).rejects.toMatchObject({
      code: 'USER_DECIDES',
    });
    expect(await run.statuses()).toMatchObject({ one: 'needs_approval', two: 'waiting' });
  });
});

test('the answer of a rejected run says what was rejected, by whom and why, and is no error', async () => {
  const tasks = [
    { id: 'look', tool: 'fake:read_a' },
    { id: 'wipe', tool: 'fake:delete_a', needs: ['look'] },
  ];
  const { go } = await begun({ tasks });

  const answer = await go({ decision: 'reject', message: 'not on a Friday' });

  expect(answer.isError).toBeUndefined();
  expect(answer.structuredContent).toMatchObject({
    status: 'rejected',
    rejected: [
      {
        task: 'wipe',
        tool: 'fake:delete_a',
        by: 'agent',
        why: 'rejected by the agent: not on a Friday',
      },
    ],
    summary: expect.stringContaining('Done: look → fake:read_a') as string,
    messages: [{ by: 'agent', text: 'not on a Friday' }],
    tasks: { look: { status: 'completed' } },
  });
});

describe('a message', () => {
  test.each(['approve', 'reject', 'abort', 'skip'])(
    'a message may come with %s',
    async (decision) => {
      const { go, workflows } = await begun(HELD);

      await go({ decision, message: 'the boss says so' });

      const { state } = await workflows.runs.find(RUN);
      expect(state.messages).toMatchObject([{ by: 'agent', text: 'the boss says so' }]);
      expect(state.decisions).toMatchObject([{ command: { kind: decision } }]);
    },
  );

  test('a message may come without a decision, and the run still waits', async () => {
    const { go } = await begun(HELD);

    const answer = await go({ decision: 'wait', message: 'the boss is asked' });

    expect(answer.structuredContent).toMatchObject({
      status: 'needs_approval',
      messages: [{ by: 'agent', text: 'the boss is asked' }],
      summary: expect.stringContaining('The agent says: the boss is asked') as string,
    });
  });

  test('a message is also accepted by its former name "because"', async () => {
    const { go, workflows } = await begun(HELD);

    await go({ decision: 'reject', because: 'too dear' });

    const { state } = await workflows.runs.find(RUN);
    expect(state.messages).toMatchObject([{ by: 'agent', text: 'too dear' }]);
    expect(state.tasks).toMatchObject([{ because: 'rejected by the agent: too dear' }]);
  });
});

test('the second of two concurrent decisions is refused as already decided', async () => {
  const { go } = await begun(HELD);

  const both = await Promise.allSettled([go({ decision: 'approve' }), go({ decision: 'reject' })]);

  expect(both).toMatchObject([
    { status: 'fulfilled' },
    {
      status: 'rejected',
      reason: { code: expect.stringMatching(/RUN_(DECIDED|FINISHED)/) as string },
    },
  ]);
});

describe('what makes no sense is refused with the reason', () => {
  test.each<[string, JsonObject, string, RegExp]>([
    ['no run', { run: '' }, 'BAD_REQUEST', /Unfinished: run_1 \(needs_approval\)/],
    ['an unknown run', { run: 'run_7' }, 'RUN_UNKNOWN', /^No run run_7: (?!.*run_1)/],
    ['an unknown decision', { decision: 'yes' }, 'BAD_REQUEST', /decision/],
    ['an unknown field', { decison: 'wait' }, 'BAD_REQUEST', /Unknown: decison/],
    ['an unknown task', { decision: 'approve', tasks: ['x'] }, 'BAD_REQUEST', /no task `x`/],
    ['nothing failed', { decision: 'retry' }, 'BAD_REQUEST', /nothing to retry/],
    ['replan for nothing', { decision: 'replan' }, 'BAD_REQUEST', /requirement/],
    ['inject nothing', { decision: 'inject' }, 'PLAN_INVALID', /tasks/],
    [
      'inject an unknown tool',
      { decision: 'inject', tasks: [{ id: 'n', tool: 'fake:nix' }] },
      'TOOL_UNKNOWN',
      /task n: No tool fake:nix/,
    ],
  ])('continue is refused with the reason: %s', async (_, args, code, message) => {
    const { go, statuses: now } = await begun(HELD);

    await expect(go(args)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect(await now()).toEqual({ t: 'needs_approval' });
  });

  test('an error about a task that is no id shows it shortened', async () => {
    const { go } = await begun(HELD);
    const tasks = [{ no: 'x'.repeat(1_000_000) }];

    const error = (await go({ decision: 'approve', tasks }).catch((e: unknown) => e)) as Error;

    expect(error.message.length).toBeLessThan(300);
  });

  test('a decision on a finished run is refused with RUN_FINISHED', async () => {
    const { go } = await begun(HELD);
    await go({ decision: 'abort' });

    await expect(go({ decision: 'approve' })).rejects.toMatchObject({
      code: 'RUN_FINISHED',
      message: expect.stringContaining('been aborted') as string,
    });
  });
});

describe('skip without names', () => {
  const LAYERS = {
    approve: 'per_layer',
    tasks: [
      { id: 'bad', tool: 'fake:read_a' },
      { id: 'next', tool: 'fake:read_b', needs: [] },
      { id: 'last', tool: 'fake:read_c', needs: ['next'] },
    ],
  };

  test('skip without names skips failed tasks, but no task that waits for approval', async () => {
    const { go, statuses: now } = await begun(LAYERS, { answers: { read_a: failed } });

    await go({ decision: 'skip' });

    expect(await now()).toEqual({ bad: 'skipped', next: 'completed', last: 'needs_approval' });
  });

  test('skip without names gives a result to the failed task only', async () => {
    const { go, workflows } = await begun(LAYERS, { answers: { read_a: failed } });

    await go({ decision: 'skip', result: { a: 1 } });

    const { state } = await workflows.runs.find(RUN);
    expect(statuses(state)).toMatchObject({ bad: 'completed', last: 'needs_approval' });
  });

  test('skip with a result and without names is refused if several tasks failed', async () => {
    const { go } = await begun(LAYERS, { answers: { read_a: failed, read_b: failed } });

    await expect(go({ decision: 'skip', result: 1 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('bad, next') as string,
    });
  });
});

test('retry runs the failed task again', async () => {
  const { go, statuses: now } = await begun(
    {
      approve: 'per_layer',
      tasks: [
        { id: 'a', tool: 'fake:read_a' },
        { id: 'b', tool: 'fake:read_b', needs: ['a'] },
      ],
    },
    { answers: { read_a: inTurn(failed, text('yes')) } },
  );

  await go({ decision: 'retry' });

  expect(await now()).toEqual({ a: 'completed', b: 'needs_approval' });
});

test('an injected task can take values from results of the run', async () => {
  const { go, tools } = await begun({
    tasks: [
      { id: 'a', tool: 'fake:read_a' },
      { id: 'b', tool: 'fake:delete_a', needs: ['a'] },
    ],
  });

  const tasks = [{ id: 'n', tool: 'fake:read_b', args: { seen: { $ref: 'a' } } }];
  await go({ decision: 'inject', tasks });

  expect(tools.calls).toContainEqual(['fake:read_b', { seen: 'fake:read_a' }]);
});

test('a decision of a cancelled request is not made', async () => {
  const { go, statuses: now } = await begun(HELD);
  const client = fakeClient('a');
  client.stop.abort(new PmlError('CALL_CANCELLED', 'cancelled'));

  await expect(go({ decision: 'approve' }, client)).rejects.toMatchObject({
    code: 'CALL_CANCELLED',
  });
  expect(await now()).toEqual({ t: 'needs_approval' });
});

test('a wait for a finished run returns the same answer each time, and keeps no client', async () => {
  const { go, workflows } = await begun(HELD);
  await go({ decision: 'approve' });

  const answers = [await go({}), await go({ decision: 'wait' })];

  expect(answers[0]).toEqual(answers[1]);
  await expect.poll(() => workflows.clients.callerOf(RUN).session).toBe('run:run_1');
});

test('a wait for a run that ended has one answer while its end is journaled and after', async () => {
  const { go, workflows, log } = await begun(HELD);
  const { live } = await workflows.runs.find(RUN);
  let release = () => {};
  const journaled = new Promise<void>((resolve) => (release = resolve));
  log.gate = (events) =>
    events.some(({ type }) => type === 'run-finished') ? journaled : undefined;
  void live?.decide({ kind: 'approve', tasks: [taskId('t')] }, 'user');
  await expect.poll(() => live?.phase).toBe('finished');

  const early = go({ decision: 'wait' });
  release();

  expect((await early).structuredContent).toMatchObject({ tasks: { t: { status: 'completed' } } });
  await expect.poll(async () => (await workflows.runs.find(RUN)).live).toBeUndefined();
  expect(await go({ decision: 'wait' })).toEqual(await early);
});

test('a wait for an active run ends when the run or the time ends', async () => {
  const { go } = await begun(
    { tasks: [{ id: 't', tool: 'fake:read_a' }], answer_within_ms: 0 },
    { answers: { read_a: never } },
  );

  const answer = await go({ answer_within_ms: 1 });

  expect(answer.structuredContent).toMatchObject({ status: 'running' });
  await go({ decision: 'abort' });
});

test('an agent may add nothing to a run in which the user allows risky calls [SAFE-USER-LOOSENS]', async () => {
  const { workflows, tools } = await runWorkflows({ answers: { read_a: never } });
  const tasks = [{ id: 'slow', tool: 'fake:read_a' }];
  await startWorkflow(workflows, { tasks }, { approve: 'never' });
  const more = { decision: 'inject', tasks: [{ id: 'wipe', tool: 'fake:delete_a' }] };

  const added = serveContinue(workflows, { run: RUN, ...more }, fakeClient('a').context);

  await expect(added).rejects.toMatchObject({ code: 'USER_DECIDES' });
  expect(tools.called).toEqual(['read_a']);
  await workflows.runs.decide(RUN, { kind: 'abort' }, { by: 'user' });
});

test('a person who skipped a call is asked again if an agent revives it [SAFE-APPROVED-ARGS]', async () => {
  const { workflows, tools } = await runWorkflows({
    answers: { read_a: failed },
    changes: {
      permissions: ASKS_PERSON,
      workflows: { ...gatewaySettings([]).workflows, approve: 'per_layer' },
    },
  });
  const answers = [
    { action: 'accept', content: { decision: 'go_on' } },
    { action: 'cancel' },
    { action: 'cancel' },
  ];
  const client = fakeClient('a', { ask: async () => answers.shift() ?? { action: 'cancel' } });
  const tasks = [
    { id: 'a', tool: 'fake:read_a' },
    { id: 'p', tool: 'fake:delete_a', args: { id: { $ref: 'a.id' } } },
    { id: 'b', tool: 'fake:read_b' },
    { id: 'c', tool: 'fake:read_c', needs: ['b'] },
    { id: 'd', tool: 'fake:read_c', needs: ['c'] },
  ];
  await serveWorkflow(workflows, { tasks, approve: 'per_layer' }, client.context);
  const skip = { run: RUN, decision: 'skip', tasks: ['a'], result: { id: 'IMPORTANT' } };

  await serveContinue(workflows, skip, client.context);

  const { state } = await workflows.runs.find(RUN);
  expect(statuses(state)).toMatchObject({
    a: 'completed',
    p: 'needs_approval',
    c: 'completed',
    d: 'needs_approval',
  });
  expect(tools.called).not.toContain('delete_a');
  expect(client.asked.at(-1)?.['message']).toContain('{"id":"IMPORTANT"}');
});
