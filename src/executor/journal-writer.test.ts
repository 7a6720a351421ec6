import { expect, test } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import type { RunEvent } from '../core/index.js';
import { JournalWriter } from './journal-writer.js';

const said = (text: string): RunEvent => ({ type: 'message-added', at: 0, text });

/** Remembers what it was given; each write is acknowledged or refused by hand. */
function slowLog() {
  const writes: { readonly texts: readonly string[]; end(error?: Error): void }[] = [];
  const append = async (events: readonly RunEvent[]) => {
    const { promise, resolve } = deferred<Error | undefined>();
    const texts = events.flatMap((event) => (event.type === 'message-added' ? event.text : []));
    writes.push({ texts, end: resolve });
    const error = await promise;
    if (error) throw error;
  };
  return { writes, append, texts: () => writes.map((write) => write.texts) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('writes what comes up during a write with the next one, in order', async () => {
  const { writes, append, texts } = slowLog();
  const writer = new JournalWriter(append, () => {});

  writer.write([said('a')]);
  writer.write([said('b')]);
  await turn();
  writer.write([said('c')]);
  writer.write([said('d'), said('e')]);
  await turn();
  expect(texts()).toEqual([['a', 'b']]);

  writes[0]?.end();
  await turn();
  expect(texts()).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
});

test('what waits for its own events does not wait for later ones', async () => {
  const { writes, append } = slowLog();
  const writer = new JournalWriter(append, () => {});
  writer.write([said('a')]);
  const first = writer.written;
  await turn();
  writer.write([said('b')]);

  writes[0]?.end();

  await expect(first).resolves.toBeUndefined();
});

test('writes nothing after a write that failed, and says so once', async () => {
  const { writes, append, texts } = slowLog();
  let failures = 0;
  const writer = new JournalWriter(append, () => failures++);
  writer.write([said('a')]);
  await turn();
  writer.write([said('b')]);

  writes[0]?.end(new Error('disk full'));
  await turn();
  writer.write([said('c')]);
  await turn();

  await expect(writer.written).rejects.toThrow('disk full');
  expect(writer.failure).toMatchObject({ code: 'JOURNAL_FAILED', message: 'disk full' });
  expect(texts()).toEqual([['a']]);
  expect(failures).toBe(1);
});
