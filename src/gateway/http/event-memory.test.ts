import { expect, test } from 'vitest';

import { requestOfEvent } from './event-id.js';
import { EventMemory } from './event-memory.js';

async function replay(memory: EventMemory, after: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  await memory.replayEventsAfter(after, {
    send: async (_id, message) => void seen.push('method' in message && message.method),
  });
  return seen;
}

test('event memory keeps no more bytes than allowed, and evicts the oldest events first', async () => {
  const memory = new EventMemory();
  const text = 'x'.repeat(6_000_000);
  for (const method of ['one', 'two', 'three']) {
    await memory.storeEvent('s', { jsonrpc: '2.0', method, params: { text } });
  }

  expect(await replay(memory, 's_0000000000')).toEqual(['two', 'three']);
});

test('event memory keeps the last thousand events of any size', async () => {
  const memory = new EventMemory();
  for (let n = 1; n <= 1_002; n++) {
    await memory.storeEvent('s', { jsonrpc: '2.0', method: `m${n}` });
  }

  const seen = await replay(memory, 's_0000000000');

  expect([seen.length, seen[0]]).toEqual([1_000, 'm3']);
});

test('an event names the request it is stored for, whatever request the code around it serves', async () => {
  const memory = new EventMemory();
  const store = () => memory.storeEvent('s', { jsonrpc: '2.0', method: 'm' });

  const ids = await memory.during(1, async () => {
    await Promise.resolve();
    return [await store(), await memory.during(2, store), await memory.during(undefined, store)];
  });

  expect(ids.map(requestOfEvent)).toEqual([1, 2, undefined]);
});
