import { setImmediate } from 'node:timers/promises';

import { beforeEach, describe, expect, test } from 'vitest';

import { newRun } from '../../../test/helpers/begin-run.js';
import { deferred } from '../../../test/helpers/deferred.js';
import { type FakeClient, fakeClient } from '../../../test/helpers/fake-client.js';
import { never, text } from '../../../test/helpers/fake-tools.js';
import { statuses, task } from '../../../test/helpers/run-parts.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type CallOptions, PmlError, taskId, type ToolResult } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import type { Workflows } from '../workflows.js';
import { waitForRun } from './wait-for-run.js';

const LONG_MS = 60_000;
const cancelled = new PmlError('CALL_CANCELLED', 'cancelled by the other side');
const gone = new Error('the client has left');

let workflows: Workflows;

beforeEach(async () => {
  ({ workflows } = await runWorkflows());
});

function waiting(clients: readonly FakeClient[], live: LiveRun, onDisconnect = 'continue') {
  const { settings } = workflows.tools;
  const rules = { ...settings.workflows, onDisconnect: onDisconnect as 'continue' };
  workflows.tools.configure({ ...settings, workflows: rules });
  for (const { context } of clients) workflows.clients.attach(live.state.run, context);
  return clients.map(async ({ context }) => {
    await waitForRun(workflows, live, context, LONG_MS);
    workflows.clients.release(live.state.run, context);
  });
}

test('a wait for a finished run ends at once', async () => {
  const { live } = newRun([task('a')]);
  live.start();
  await live.idle();

  await Promise.all(waiting([fakeClient('a')], live));

  expect(live.phase).toBe('finished');
});

test('a wait that timed out leaves the run going and sends no more progress', async () => {
  const done = deferred<ToolResult>();
  const { live } = newRun([task('a')], { answers: { a: () => done.promise } });
  const client = fakeClient('a');
  live.start();

  await waitForRun(workflows, live, client.context, 0);
  done.resolve(text('late'));
  await live.idle();

  expect(live.phase).toBe('finished');
  expect(client.progress).toEqual([]);
});

describe('progress', () => {
  const reporting = async ({ onProgress }: CallOptions) => {
    onProgress?.({ progress: 1, total: 4, message: 'begun' });
    await setImmediate();
    onProgress?.({ progress: 1, total: 4, message: 'still' });
    onProgress?.({ progress: Number.NaN, total: 4 });
    await setImmediate();
    return text('x');
  };

  test('progress only ever grows, whatever a server reports', async () => {
    const { live } = newRun([task('a'), task('b', ['a'])], { answers: { a: reporting } });
    const client = fakeClient('a');
    live.start();

    await Promise.all(waiting([client], live));

    const values = client.progress.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    expect(values.every(Number.isFinite)).toBe(true);
    expect(client.progress[0]).toEqual({ progress: 0.25, total: 2, message: 'a: begun' });
    expect(client.progress.at(-1)).toEqual({ progress: 2, total: 2, message: 'b completed' });
  });

  test('progress of a single call is what its server reports, and nothing else', async () => {
    const { live } = newRun([task('a')], { answers: { a: reporting } });
    const client = fakeClient('a');
    live.start();

    await Promise.all(waiting([client], live));

    expect(client.progress.slice(0, 2)).toEqual([
      { progress: 1, total: 4, message: 'begun' },
      { progress: 1, total: 4, message: 'still' },
    ]);
    expect(client.progress).toHaveLength(3);
  });

  test('progress still reaches other clients if one client cannot receive it', async () => {
    const { live } = newRun([task('a')], { answers: { a: reporting } });
    const broken = fakeClient('a');
    const context = {
      ...broken.context,
      onProgress: () => {
        throw new Error('no way out');
      },
    };
    const other = fakeClient('b');
    live.start();

    await Promise.all(waiting([{ ...broken, context }, other], live));

    expect(other.progress.length).toBeGreaterThan(0);
  });
});

describe('a client that leaves', () => {
  const endless = () => {
    const { live } = newRun([task('a')], { answers: { a: never } });
    live.start();
    return live;
  };

  test('a client that cancels ends the run', async () => {
    const live = endless();
    const client = fakeClient('a');
    const waits = waiting([client], live);

    client.stop.abort(cancelled);
    await Promise.all(waits);
    await live.idle();

    expect(live.state.finished?.outcome).toBe('aborted');
    expect(live.state.decisions).toMatchObject([{ by: 'user' }]);
  });

  test('a client that cancelled before it waits ends the run', async () => {
    const live = endless();
    const client = fakeClient('a');
    client.stop.abort(cancelled);

    await Promise.all(waiting([client], live));
    await live.idle();

    expect(live.state.finished?.outcome).toBe('aborted');
  });

  test.each([
    ['continue', undefined],
    ['abort', 'aborted'],
  ])('a client that closes its session triggers the policy %s', async (policy, outcome) => {
    const live = endless();
    const client = fakeClient('a');
    const waits = waiting([client], live, policy);

    client.stop.abort(gone);
    await Promise.all(waits);
    await setImmediate();

    expect(live.state.finished?.outcome).toBe(outcome);
    await live.close(0);
  });

  test('a client that cancels ends the run only if no other client waits for it', async () => {
    const live = endless();
    const [first, second] = [fakeClient('a'), fakeClient('b')];
    const waits = waiting([first, second], live);

    second.stop.abort(cancelled);
    await waits[1];
    const before = live.phase;
    first.stop.abort(cancelled);
    await Promise.all(waits);
    await live.idle();

    expect(before).toBe('running');
    expect(live.state.finished?.outcome).toBe('aborted');
  });

  test('all clients that cancel together end the run', async () => {
    const live = endless();
    const clients = [fakeClient('a'), fakeClient('a')];
    const waits = waiting(clients, live);

    for (const { stop } of clients) stop.abort(cancelled);
    await Promise.all(waits);
    await live.idle();

    expect(live.state.finished?.outcome).toBe('aborted');
  });
});

describe('a pause', () => {
  test('a pause ends the wait of a client that cannot ask', async () => {
    const { live } = newRun([task('risky')]);
    live.start();

    await Promise.all(waiting([fakeClient('a')], live));

    expect(live.phase).toBe('paused');
  });

  test('a pause asks the user again until the run needs no more approvals', async () => {
    const { live } = newRun([task('risky'), task('risky2', ['risky'])]);
    const ask = async () => ({ action: 'accept', content: { allow: true } });
    const client = fakeClient('a', { ask });
    live.start();

    await Promise.all(waiting([client], live));

    expect(statuses(live.state)).toEqual({ risky: 'completed', risky2: 'completed' });
    expect(client.asked).toHaveLength(2);
  });

  test('a pause that the user ends after the wait timed out resumes the run', async () => {
    const { live } = newRun([task('risky')]);
    const answer = deferred<{ action: string; content: { allow: boolean } }>();
    const client = fakeClient('a', { ask: () => answer.promise });
    live.start();
    await live.idle();

    await waitForRun(workflows, live, client.context, 0);
    const phase = live.phase;
    answer.resolve({ action: 'accept', content: { allow: true } });
    await expect.poll(() => live.phase).toBe('finished');

    expect(phase).toBe('paused');
    expect(live.state.decisions).toMatchObject([{ by: 'human' }]);
  });

  test('a pause whose run is cancelled closes the dialog', async () => {
    const { live } = newRun([task('risky')]);
    const closed = deferred<string>();
    const client = fakeClient('a', {
      ask: (_, signal) => {
        signal.addEventListener('abort', () => closed.resolve('closed'));
        return never({ signal });
      },
    });
    live.start();
    await live.idle();
    const waits = waiting([client], live);
    await expect.poll(() => client.asked.length).toBe(1);

    client.stop.abort(cancelled);
    await Promise.all(waits);

    expect(await closed.promise).toBe('closed');
  });
});

test('a hundred waits for a paused run leave one watch behind', async () => {
  const { live } = newRun([task('risky')]);
  let watches = 0;
  const watch = live.watch.bind(live);
  live.watch = () => {
    watches++;
    return watch();
  };
  live.start();
  await live.idle();

  for (let time = 0; time < 100; time++) {
    await waitForRun(workflows, live, fakeClient('a').context, 0);
  }

  expect(watches).toBe(1);
  await live.decide({ kind: 'reject', tasks: [taskId('risky')] }, 'user');
});
