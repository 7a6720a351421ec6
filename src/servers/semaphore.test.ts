import { expect, test } from 'vitest';

import { Semaphore } from './semaphore.js';

test('lets in as many as it may, the others in the order they came', async () => {
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

test('one who gives up takes no place', async () => {
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

test('one who gave up before never waits in line', async () => {
  const semaphore = new Semaphore(1);
  void semaphore.enter(undefined);

  await expect(semaphore.enter(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');

  semaphore.leave();
  expect(semaphore.enter(undefined)).toBeUndefined();
});
