import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../test/helpers/fake-client.js';
import { never, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { runWorkflows } from '../../test/helpers/run-workflows.js';
import { type JsonObject, PmlError, runId } from '../core/index.js';
import { NO_TRAIL } from '../discovery/index.js';
import { serveWorkflow, startWorkflow } from './serve-workflow.js';

const one = (tool: string, args: JsonObject = {}) => ({ tasks: [{ id: 't', tool, args }] });
const RUN = runId('run_1');

describe('a lone call', () => {
  test('a single call returns the result of its tool unchanged', async () => {
    const result = { ...text('seen'), structuredContent: { a: 1 }, _meta: { mine: 1 } };
    const { workflows } = await runWorkflows({ answers: { read_a: result } });

    const answer = await serveWorkflow(workflows, one('fake:read_a'), fakeClient('a').context);

    expect(answer).toEqual({ ...result, _meta: { mine: 1, 'pml/run': 'run_1' } });
  });

  test('a single call whose tool reports an error returns an error', async () => {
    const { workflows } = await runWorkflows({
      answers: { read_a: { ...text('no'), isError: true } },
    });

    const answer = await serveWorkflow(workflows, one('fake:read_a'), fakeClient('a').context);

    expect(answer).toMatchObject({ isError: true, content: [{ text: 'no' }] });
  });

  test('a single call that fails returns an error with its code', async () => {
    const { workflows } = await runWorkflows({
      answers: { read_a: new PmlError('SERVER_CRASHED', 'it died') },
    });

    const answer = await serveWorkflow(workflows, one('fake:read_a'), fakeClient('a').context);

    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).toMatch(/SERVER_CRASHED.*it died/);
  });

  test('a single call whose end cannot be journaled is not reported as done', async () => {
    const log = new MemoryRunLog();
    log.fails = (events) => events.some(({ type }) => type === 'task-completed');
    const { workflows } = await runWorkflows({ log });

    const answer = await serveWorkflow(workflows, one('fake:write_a'), fakeClient('a').context);

    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({
      status: 'failed',
      error: { code: 'JOURNAL_FAILED' },
      tasks: { t: { status: 'completed' } },
    });
  });
});

describe('a cancelled request', () => {
  test('a cancelled request starts no run', async () => {
    const { workflows, tools, log } = await runWorkflows();
    const client = fakeClient('a');
    client.stop.abort(new PmlError('CALL_CANCELLED', 'cancelled'));

    const serving = serveWorkflow(workflows, one('fake:read_a'), client.context);

    await expect(serving).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
    expect(tools.calls).toEqual([]);
    expect(await log.list({ limit: 1 })).toEqual([]);
  });

  test('a request that is cancelled later ends the run that it started', async () => {
    const { workflows, tools } = await runWorkflows({ answers: { read_a: never } });
    const client = fakeClient('a');
    const serving = serveWorkflow(workflows, one('fake:read_a'), client.context);
    await expect.poll(() => tools.calls.length).toBe(1);

    client.stop.abort(new PmlError('CALL_CANCELLED', 'cancelled'));
    const answer = await serving;
    await expect.poll(async () => (await workflows.runs.find(RUN)).phase).toBe('finished');

    expect(answer.structuredContent).toMatchObject({ run: 'run_1' });
  });
});

test('a paused run is answered with its id and its questions', async () => {
  const { workflows, tools } = await runWorkflows();

  const answer = await serveWorkflow(workflows, one('fake:delete_a'), fakeClient('a').context);

  expect(answer.isError).toBeUndefined();
  expect(answer.structuredContent).toMatchObject({
    status: 'needs_approval',
    run: 'run_1',
    asks: [{ task: 't', tool: 'fake:delete_a', decisions: ['approve', 'reject', 'abort'] }],
  });
  expect(tools.calls).toEqual([]);
});

test('a run that exceeds the answer time is reported as running', async () => {
  const { workflows } = await runWorkflows({ answers: { read_a: never } });
  const args = { ...one('fake:read_a'), answer_within_ms: 1 };

  const answer = await serveWorkflow(workflows, args, fakeClient('a').context);

  expect(answer.structuredContent).toMatchObject({ status: 'running', run: 'run_1' });
  await workflows.runs.decide(RUN, { kind: 'abort' }, { by: 'user' });
});

test.each(['legacy', 'modern'] as const)(
  'calls of a %s client are recorded as outcome of what it was shown',
  async (era) => {
    const { workflows, discovery, list } = await runWorkflows();
    list([{ name: 'find_mail', description: 'Finds a mail', inputSchema: { type: 'object' } }]);
    const ranking = await workflows.tools.discovery.rank('find the mail', { shown: 5 });
    const trail = { current: discovery.shown(NO_TRAIL, 'find the mail', ranking) };
    const client = fakeClient('a', { era, trail });

    await serveWorkflow(workflows, one('fake:find_mail'), client.context);
    await expect
      .poll(async () => {
        await discovery.settled();
        return discovery.status.remembered;
      })
      .toBe(1);
  },
);

test('earlier calls of a client are remembered with its next run, and with no other client', async () => {
  const { workflows, discovery, clock } = await runWorkflows();
  const [ann, bob] = [fakeClient('ann'), fakeClient('bob')];

  await serveWorkflow(workflows, one('fake:read_a'), ann.context);
  await expect.poll(() => ann.context.trail.current.called).toMatchObject([{ ok: true }]);
  clock.now = new Date(60_000);
  await serveWorkflow(workflows, one('fake:write_a'), ann.context);
  await serveWorkflow(workflows, one('fake:write_a'), bob.context);

  const remembered = async () => {
    await discovery.settled();
    return Array.from(discovery.traces, ({ calls, before }) => [calls[0]?.tool, before]);
  };
  await expect.poll(remembered).toEqual([
    ['fake:read_a', undefined],
    ['fake:write_a', [{ tool: 'fake:read_a', ok: true }]],
    ['fake:write_a', undefined],
  ]);
});

test('a finished run releases its client', async () => {
  const { workflows } = await runWorkflows();

  await serveWorkflow(workflows, one('fake:write_a'), fakeClient('a').context);

  await expect.poll(() => workflows.clients.callerOf(RUN).session).toBe('run:run_1');
});

describe('a dry run', () => {
  test('a dry run shows the plan, its holes and the questions, and calls nothing', async () => {
    const { workflows, tools, log } = await runWorkflows({
      tools: [
        {
          name: 'delete_file',
          inputSchema: {
            type: 'object',
            properties: { path: { type: 'string' } },
            required: ['path'],
          },
        },
      ],
    });
    const tasks = [
      { id: 'a', tool: 'fake:read_a' },
      { id: 'b', tool: 'fake:delete_file', needs: ['a'] },
    ];

    const answer = await serveWorkflow(
      workflows,
      { tasks, mode: 'dry_run' },
      fakeClient('a').context,
    );

    expect(answer.structuredContent).toMatchObject({
      status: 'suggested',
      tasks: [{ id: 'a' }, { id: 'b', needs: ['a'] }],
      holes: [{ task: 'b', param: 'path' }],
      approvals: [{ task: 'b', because: 'its name says delete' }],
    });
    expect(tools.calls).toEqual([]);
    expect(await log.list({ limit: 1 })).toEqual([]);
  });

  test('a dry run shows which layers would need approval', async () => {
    const { workflows } = await runWorkflows();
    const tasks = [
      { id: 'a', tool: 'fake:read_a' },
      { id: 'b', tool: 'fake:read_b', needs: ['a'] },
    ];

    const started = await startWorkflow(workflows, {
      tasks,
      mode: 'dry_run',
      approve: 'per_layer',
    });

    expect(started).toMatchObject({
      answer: { structuredContent: { approvals: [{ task: 'b' }] } },
    });
  });

  test('a dry run shortens a long argument', async () => {
    const { workflows } = await runWorkflows();
    const args = { ...one('fake:write_a', { text: 'x'.repeat(5_000_000) }), mode: 'dry_run' };

    const answer = await serveWorkflow(workflows, args, fakeClient('a').context);

    expect(JSON.stringify(answer).length).toBeLessThan(64_000);
  });
});
