import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { principal, runId } from '../../core/index.js';
import { NO_TRAIL } from '../../discovery/index.js';
import { RunClients } from './run-clients.js';

const RUN = runId('run_1');
const answered = async () => ({});
const shown = {
  id: 'd',
  algorithm: 'discover',
  model: 'm',
  intent: 'find',
  at: new Date(0),
  tools: [],
} as const;

test('a run without a client has a caller of its own that refuses questions', async () => {
  const caller = new RunClients().callerOf(RUN);

  expect(caller.session).toBe('run:run_1');
  await expect(
    caller.ask('elicitation/create', {}, new AbortController().signal),
  ).rejects.toMatchObject({ code: 'TOOL_DENIED' });
});

test('a second client that attaches and leaves gives the run back to the first', () => {
  const clients = new RunClients();
  const [first, second] = [fakeClient('a', { ask: answered }), fakeClient('b', { era: 'modern' })];
  clients.attach(RUN, first.context);
  clients.attach(RUN, second.context);
  const during = clients.callerOf(RUN);

  clients.release(RUN, second.context);
  clients.leave('b');

  expect(during.session).toBe('b');
  expect(clients.callerOf(RUN).session).toBe('a');
});

test('an answered client can still be asked until it leaves, unless it is stateless', () => {
  const clients = new RunClients();
  const [legacy, modern] = [fakeClient('old'), fakeClient('new', { era: 'modern' })];
  clients.attach(RUN, legacy.context);
  clients.release(RUN, legacy.context);
  clients.attach(RUN, modern.context);
  clients.release(RUN, modern.context);

  expect(clients.callerOf(RUN).session).toBe('old');
  clients.leave('old');
  expect(clients.callerOf(RUN).session).toBe('run:run_1');
});

test('a request that ends after its session does not reattach the client', () => {
  const clients = new RunClients();
  const client = fakeClient('a');
  clients.attach(RUN, client.context);

  clients.leave('a');
  clients.release(RUN, client.context);

  expect(clients.callerOf(RUN).session).toBe('run:run_1');
});

test.each(['legacy', 'modern'] as const)(
  'the trail of a %s client is known until the run is forgotten',
  (era) => {
    const clients = new RunClients();
    const client = fakeClient('a', { era, trail: { current: { ...NO_TRAIL, shown: [shown] } } });
    clients.attach(RUN, client.context);

    clients.release(RUN, client.context);
    clients.leave('a');
    const trail = clients.trailOf(RUN);
    clients.forget(RUN);

    expect(trail.current.shown).toEqual([shown]);
    expect(clients.trailOf(RUN).current.shown).toEqual([]);
  },
);

test('a client that cancelled no longer waits for the run', () => {
  const clients = new RunClients();
  const [first, second] = [fakeClient('a'), fakeClient('b')];
  clients.attach(RUN, first.context);
  clients.attach(RUN, second.context);

  second.stop.abort();

  expect(clients.isAwaited(RUN, first.context)).toBe(false);
  expect(clients.isAwaited(RUN, second.context)).toBe(true);
  expect(clients.callerOf(RUN).session).toBe('a');
});

test('a run has servers of its own only if it made calls without a client', () => {
  const clients = new RunClients();
  const client = fakeClient('a');
  clients.attach(RUN, client.context);
  clients.callerOf(RUN);
  const accompanied = clients.forget(RUN);
  clients.callerOf(RUN);

  expect(accompanied.wasAlone).toBe(false);
  expect(clients.forget(RUN).wasAlone).toBe(true);
  expect(clients.forget(RUN).wasAlone).toBe(false);
});

// covers: HTTP-ISOLATED
test('a client that waits for the run of another is asked, but its own servers are not used', async () => {
  const clients = new RunClients();
  const [ann, bob] = ['ann', 'bob'].map((name) => principal('client', name));
  const owner = fakeClient('a', { principal: ann!, ask: answered });
  const other = fakeClient('b', { principal: bob!, ask: async () => ({ by: 'bob' }) });
  clients.attach(RUN, owner.context);
  clients.attach(RUN, other.context, ann!);

  const caller = clients.callerOf(RUN);

  expect(caller.session).toBe('run:run_1');
  const answer = caller.ask('elicitation/create', {}, new AbortController().signal);
  expect(await answer).toEqual({ by: 'bob' });
  clients.release(RUN, other.context);
  clients.leave('b');
  expect(clients.callerOf(RUN).session).toBe('a');
  expect(clients.forget(RUN)).toEqual({ wasAlone: true });
});
