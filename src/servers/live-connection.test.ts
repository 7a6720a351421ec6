import { expect, test } from 'vitest';

import { type JsonObject, PmlError, serverName } from '../core/index.js';
import type { Caller } from './caller.js';
import { LiveConnection } from './live-connection.js';

const signal = new AbortController().signal;
const request = { jsonrpc: '2.0', id: 1, method: 'elicitation/create' } as const;

function callerOf(user: string, ask: () => Promise<JsonObject>): Caller {
  const nobody = { info: {}, capabilities: {}, era: 'modern', tell: () => {} } as const;
  return { ...nobody, session: 'http', user, ask };
}

const answering = (user: string, by = user) => callerOf(user, async () => ({ by }));
const ended = (user: string) =>
  callerOf(user, () => Promise.reject(new PmlError('CALL_CANCELLED', 'ended')));

function connection(...callers: Caller[]): LiveConnection {
  const live = new LiveConnection(serverName('one'), undefined);
  for (const caller of callers) live.enter(caller);
  return live;
}

test('asks the client whose call runs', async () => {
  expect(await connection(answering('ann')).answer(request, signal)).toEqual({ by: 'ann' });
});

test('never guesses between two users, even on one kind of connection', async () => {
  const live = connection(answering('ann'), answering('bob'));

  await expect(live.answer(request, signal)).rejects.toThrow(/several clients have calls running/);
});

test('a question whose call ended goes through another call of the same user', async () => {
  const live = connection(answering('ann', 'first call'), ended('ann'));

  expect(await live.answer(request, signal)).toEqual({ by: 'first call' });
});

test('a question nobody can carry any more is refused', async () => {
  await expect(connection(ended('ann')).answer(request, signal)).rejects.toThrow('ended');
  await expect(connection().answer(request, signal)).rejects.toThrow(/nobody to ask/);
});
