import { expect, test } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import type { RunEvent } from '../core/index.js';
import { JournalWriter } from './journal-writer.js';

const said = (text: string): RunEvent => ({ type: 'message-added', at: 0, text });

/** Records what it was given; the test acknowledges or refuses each write by hand. */
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

test('journal writer batches events that arrive during a write into the next write, in order', async () => {
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

test('journal writer resolves a caller once its own events are written, without waiting for later ones', async () => {
  const { writes, append } = slowLog();
  const writer = new JournalWriter(append, () => {});
  writer.write([said('a')]);
  const first = writer.written;
  await turn();
  writer.write([said('b')]);

  writes[0]?.end();

  await expect(first).resolves.toBeUndefined();
});

test('journal writer stops after a failed write and reports the failure once', async () => {
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
