import { expect, test, vi } from 'vitest';

import { type JsonObject, PmlError, serverName, THE_USER } from '../../core/index.js';
import { type Channel, Peer } from '../../rpc/index.js';
import type { Caller } from '../caller.js';
import { Connection } from './connection.js';
import { LiveConnection } from './live-connection.js';

const signal = new AbortController().signal;
const request = { jsonrpc: '2.0', id: 1, method: 'elicitation/create' } as const;

function callerOf(user: string, ask: () => Promise<JsonObject>): Caller {
  const base = { info: {}, capabilities: {}, era: 'modern', tell: () => {} } as const;
  return { ...base, session: 'http', principal: THE_USER, user, ask };
}

const answering = (user: string, by = user) => callerOf(user, async () => ({ by }));
const ended = (user: string) =>
  callerOf(user, () => Promise.reject(new PmlError('CALL_CANCELLED', 'ended')));

function connection(...callers: Caller[]): LiveConnection {
  const live = new LiveConnection(serverName('one'), undefined);
  for (const caller of callers) live.enter(caller);
  return live;
}

test('live connection forwards a server question to the client whose call runs', async () => {
  expect(await connection(answering('ann')).answer(request, signal)).toEqual({ by: 'ann' });
});

test('live connection refuses a server question while two users have calls running', async () => {
  const live = connection(answering('ann'), answering('bob'));

  await expect(live.answer(request, signal)).rejects.toThrow(/several clients have calls running/);
});

test('question whose call ended goes through another call of the same user', async () => {
  const live = connection(answering('ann', 'first call'), ended('ann'));

  expect(await live.answer(request, signal)).toEqual({ by: 'first call' });
});

test('question is refused when no running call can carry it', async () => {
  await expect(connection(ended('ann')).answer(request, signal)).rejects.toThrow('ended');
  await expect(connection().answer(request, signal)).rejects.toThrow(/no client to ask/);
});

test('a call does not time out while its user thinks about a question', async () => {
  vi.useFakeTimers();
  const channel: Channel = {
    onmessage: undefined,
    onclose: undefined,
    send: () => {},
    close: async () => {},
  };
  let answerQuestion: (answer: JsonObject) => void = () => {};
  const thinking = new Promise<JsonObject>((resolve) => (answerQuestion = resolve));
  const live = connection(callerOf('ann', () => thinking));
  const peer = new Peer(channel, {
    request: (question, stop) => live.answer(question, stop),
    notification: () => {},
    closed: () => {},
  });
  const greeting = {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: {},
    instructions: undefined,
    eras: undefined,
  } as const;
  const client = { info: {}, capabilities: {} };
  live.connection = new Connection(peer, greeting, { client, pid: undefined });
  const call = live.connection.request('tools/call', {}, { timeoutMs: 100 });
  const outcome = call.catch((error: unknown) => error);

  channel.onmessage?.(request);
  await vi.advanceTimersByTimeAsync(10_000);
  answerQuestion({});
  await vi.advanceTimersByTimeAsync(99);
  channel.onmessage?.({ jsonrpc: '2.0', id: 1, result: { done: true } });

  expect(await outcome).toEqual({ done: true });
  vi.useRealTimers();
});
