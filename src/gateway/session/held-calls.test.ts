import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import type { JsonObject } from '../../core/index.js';
import { HeldCall, HeldCalls } from './held-calls.js';

const ask = { message: 'Name?' };
const greeting = (held: HeldCall) =>
  held.ask('elicitation/create', ask).then((answer) => ({ hello: answer['name'] ?? null }));

const stateOf = (result: JsonObject) => String(result['requestState'] as string);

test('a call that asks nothing returns its result', async () => {
  const result = await new HeldCalls().wait(new HeldCall(async () => ({ done: true })));

  expect(result).toEqual({ done: true });
});

test('a question puts the call on hold, and the answer resumes it', async () => {
  const calls = new HeldCalls();

  const asked = await calls.wait(new HeldCall(greeting));
  const resumed = calls.resume(stateOf(asked), { q1: { name: 'Ann' } });

  expect(asked).toMatchObject({
    resultType: 'input_required',
    inputRequests: { q1: { method: 'elicitation/create', params: ask } },
  });
  expect(await calls.wait(resumed)).toEqual({ hello: 'Ann' });
});

test('questions that come together are asked together, and unanswered ones again', async () => {
  const calls = new HeldCalls();
  const call = new HeldCall(async (held) => {
    const [a, b] = await Promise.all([held.ask('roots/list', undefined), held.ask('x', {})]);
    return { a, b };
  });

  const first = await calls.wait(call);
  const second = await calls.wait(calls.resume(stateOf(first), { q1: { n: 1 } }));
  const third = await calls.wait(calls.resume(stateOf(second), { q2: { n: 2 } }));

  expect(Object.keys(first['inputRequests'] as JsonObject)).toEqual(['q1', 'q2']);
  expect(Object.keys(second['inputRequests'] as JsonObject)).toEqual(['q2']);
  expect(third).toEqual({ a: { n: 1 }, b: { n: 2 } });
});

test('a request state works only once', async () => {
  const calls = new HeldCalls();
  const asked = await calls.wait(new HeldCall(greeting));
  calls.resume(stateOf(asked), {});

  expect(() => calls.resume(stateOf(asked), {})).toThrow(/unknown, used or too old/);
  expect(() => calls.resume('pml.guessed', {})).toThrow(/unknown, used or too old/);
});

test('a held call that fails rejects the request that waits for it', async () => {
  const call = new HeldCall(async () => {
    throw new Error('disk full');
  });

  await expect(new HeldCalls().wait(call)).rejects.toThrow('disk full');
});

test('abandoning a held call stops its work and refuses its questions', async () => {
  let stopped = false;
  const call = new HeldCall((held, signal) => {
    signal.addEventListener('abort', () => (stopped = true));
    return greeting(held);
  });
  await new HeldCalls().wait(call);

  call.abort(new Error('the client has left'));

  await expect(call.next()).rejects.toThrow('the client has left');
  expect(stopped).toBe(true);
});

test('a client that leaves abandons only its own held calls', async () => {
  const calls = new HeldCalls();
  const [own, other] = [new HeldCall(greeting), new HeldCall(greeting)];
  own.request = fakeClient('a', { era: 'modern' }).context;
  other.request = fakeClient('b', { era: 'modern' }).context;
  const [asked, kept] = [await calls.wait(own), await calls.wait(other)];

  calls.leave('a');

  await expect(own.next()).rejects.toMatchObject({ details: { isGone: true } });
  expect(() => calls.resume(stateOf(asked), {})).toThrow(/unknown, used or too old/);
  expect(calls.resume(stateOf(kept), {})).toBe(other);
});

test('a call that ends refuses a question of another call that came through it', async () => {
  let question: Promise<JsonObject> | undefined;
  const call = new HeldCall(async (held) => {
    question = held.ask('elicitation/create', ask);
    question.catch(() => {}); // Looked at below.
    return { done: true };
  });

  await new HeldCalls().wait(call);

  await expect(question).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
});
