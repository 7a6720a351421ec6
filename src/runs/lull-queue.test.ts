import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { LullQueue } from './lull-queue.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const taken: number[] = [];
  return { taken, queue: new LullQueue<number>((item) => void taken.push(item)) };
}

/** Each item takes three milliseconds of the queue's clock. */
function openSlow(onTaken: (item: number) => void = () => {}) {
  const taken: number[] = [];
  let spentMs = 0;
  const take = (item: number) => {
    spentMs += 3;
    taken.push(item);
    onTaken(item);
  };
  return { taken, queue: new LullQueue<number>(take, () => performance.now() + spentMs) };
}

test('a lull queue takes a lone item after everything that is already queued', () => {
  const { queue, taken } = open();

  queue.add(1);
  expect(taken).toEqual([]);
  vi.advanceTimersByTime(0);

  expect(taken).toEqual([1]);
});

test('a lull queue takes the items of a burst after the burst, in order', () => {
  const { queue, taken } = open();
  queue.add(0);
  vi.advanceTimersByTime(0);

  for (let item = 1; item <= 100; item++) {
    vi.advanceTimersByTime(2);
    queue.add(item);
  }
  expect(taken).toEqual([0]);
  vi.advanceTimersByTime(30);

  expect(taken).toEqual(Array.from({ length: 101 }, (_, item) => item));
});

test('a lull queue lets no item of an endless burst wait for much more than two seconds', () => {
  const { queue, taken } = open();
  queue.add(0);

  for (let item = 1; item <= 2_100; item++) {
    vi.advanceTimersByTime(1);
    queue.add(item);
  }

  expect(taken.length).toBeGreaterThan(1_900);
});

test('a lull queue takes all that waits at once on demand, and nothing twice', () => {
  const { queue, taken } = open();
  for (let item = 0; item < 5; item++) queue.add(item);

  queue.flush();
  expect(taken).toEqual([0, 1, 2, 3, 4]);
  vi.advanceTimersByTime(2_000);

  expect(taken).toHaveLength(5);
});

test('a lull queue stops taking items when a new burst begins', () => {
  const { queue, taken } = openSlow((item) => {
    if (item === 9) queue.add(20);
  });
  for (let item = 0; item < 20; item++) queue.add(item);

  // The work begins after 10 ms, and each later slice begins a millisecond after the one before.
  vi.advanceTimersByTime(20);

  expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  vi.advanceTimersByTime(1_000);
  expect(taken).toHaveLength(21);
});

test('a lull queue gives others their turn between slices of slow work', () => {
  const { queue, taken } = openSlow();
  for (let item = 0; item < 6; item++) queue.add(item);

  vi.advanceTimersByTime(0);
  expect(taken).toEqual([0, 1]);
  vi.advanceTimersByTime(100);

  expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a lull queue takes nothing twice if taking an item flushes it', () => {
  const taken: number[] = [];
  const queue: LullQueue<number> = new LullQueue((item) => {
    taken.push(item);
    queue.flush();
  });
  for (let item = 0; item < 4; item++) queue.add(item);

  vi.advanceTimersByTime(1_000);

  expect(taken).toEqual([0, 1, 2, 3]);
});
