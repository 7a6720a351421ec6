import { describe, expect, test } from 'vitest';

import { never } from '../../../test/helpers/fake-tools.js';
import { runWorkflows, type RunWorkflowsOptions } from '../../../test/helpers/run-workflows.js';
import { type JsonObject, runId } from '../../core/index.js';
import { readParams } from '../params.js';
import { decide, listRuns, showRun, startRun, watchRun } from './runs.js';

const one = (tool: string) => ({ tasks: [{ id: 't', tool }] });

async function begun(request: JsonObject, options?: RunWorkflowsOptions) {
  const daemon = await runWorkflows(options);
  const started = await startRun(daemon, request);
  const { live } = await daemon.workflows.runs.find(runId('run' in started ? started.run : ''));
  if (request['tasks'] && live && options?.answers === undefined) await live.idle();
  return { ...daemon, live };
}

test('startRun starts a workflow without a waiting client, and a dry run gives the plan', async () => {
  const daemon = await runWorkflows();

  expect(await startRun(daemon, one('fake:read_a'))).toEqual({ run: 'run_1' });
  expect(await startRun(daemon, { ...one('fake:read_a'), mode: 'dry_run' })).toMatchObject({
    plan: { status: 'suggested', layers: [['t']] },
  });
});

test('a paused run is listed with its question, shown in full and can be decided', async () => {
  const daemon = await begun(one('fake:delete_a'));

  const { runs } = await listRuns(daemon, {});
  const shown = await showRun(daemon, { run: 'run_1' });
  const decided = await decide(daemon, { run: 'run_1', decision: 'reject' });

  expect(runs).toMatchObject([
    { run: 'run_1', status: 'needs_approval', counts: { needs_approval: 1 } },
  ]);
  expect(shown).toMatchObject({ tasks: [{ id: 't', status: 'needs_approval', args: '{}' }] });
  expect(decided).toMatchObject({ status: 'rejected', counts: { skipped: 1 } });
});

test.each<[string, (daemon: Awaited<ReturnType<typeof begun>>) => Promise<unknown>, string]>([
  [
    'no run to decide',
    async (daemon) => decide(daemon, readParams('run-decide', { decision: 'abort' })),
    'BAD_REQUEST',
  ],
  ['an unknown run', (daemon) => showRun(daemon, { run: 'run_9' }), 'RUN_UNKNOWN'],
  [
    'a limit below zero',
    async (daemon) => listRuns(daemon, readParams('runs', { limit: -1 })),
    'BAD_REQUEST',
  ],
  [
    'half an event',
    async (daemon) => watchRun(daemon, readParams('run-watch', { run: 'run_1', after: 0.5 })),
    'BAD_REQUEST',
  ],
])('a request with %s is refused', async (_, ask, code) => {
  const daemon = await begun(one('fake:delete_a'));

  await expect(ask(daemon)).rejects.toMatchObject({ code });
});

describe('watching', () => {
  test('watchRun returns past events at once', async () => {
    const daemon = await begun(one('fake:delete_a'));

    const answer = await watchRun(daemon, { run: 'run_1', after: 1, waitMs: 30_000 });

    expect(answer).toMatchObject({ events: [{ type: 'task-held' }], next: 2 });
  });

  test('watchRun waits for the next event', async () => {
    const daemon = await begun(one('fake:delete_a'));

    const watching = watchRun(daemon, { run: 'run_1', after: 2, waitMs: 30_000 });
    await new Promise((resolve) => setImmediate(resolve));
    await decide(daemon, { run: 'run_1', decision: 'abort' });

    expect(await watching).toMatchObject({ events: [{ type: 'decision-made' }, {}, {}] });
  });

  test('repeated watchRun calls on an idle run leave one watch behind', async () => {
    const daemon = await begun(one('fake:read_a'), { answers: { read_a: never } });
    const { live } = daemon;
    let watches = 0;
    const watch = live!.watch.bind(live);
    live!.watch = () => {
      watches++;
      return watch();
    };

    for (let time = 0; time < 20; time++) {
      await watchRun(daemon, { run: 'run_1', after: live!.events.length, waitMs: 1 });
    }

    expect(watches).toBe(1);
    await decide(daemon, { run: 'run_1', decision: 'abort' });
  });
});
