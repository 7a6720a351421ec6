import { expect, test } from 'vitest';

import { Semaphore } from './semaphore.js';

test('Semaphore admits callers up to its limit and the others in order of arrival', async () => {
  const semaphore = new Semaphore(2);
  const order: number[] = [];
  expect([semaphore.enter(undefined), semaphore.enter(undefined)]).toEqual([undefined, undefined]);
  const waiting = [1, 2, 3].map(async (number) => {
    await semaphore.enter(undefined);
    order.push(number);
    semaphore.leave();
  });

  expect(order).toEqual([]);
  semaphore.leave();

  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
});

test('Semaphore gives no place to a caller that gives up while it waits', async () => {
  const semaphore = new Semaphore(1);
  const stop = new AbortController();
  void semaphore.enter(undefined);
  const first = semaphore.enter(stop.signal);
  const second = semaphore.enter(undefined);

  stop.abort(new Error('enough'));
  semaphore.leave();

  await expect(first).rejects.toThrow('enough');
  await expect(second).resolves.toBeUndefined();
});

test('Semaphore never queues a caller whose signal is already aborted', async () => {
  const semaphore = new Semaphore(1);
  void semaphore.enter(undefined);

  await expect(semaphore.enter(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');

  semaphore.leave();
  expect(semaphore.enter(undefined)).toBeUndefined();
});
