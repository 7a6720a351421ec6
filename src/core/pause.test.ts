import { expect, test } from 'vitest';

import { pause } from './pause.js';

const LONG_MS = 20;

function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** A job of long steps, which notes the turn of the loop in which each of them runs. */
async function work(steps: number, turns: number[], turn: () => number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await pause();
    turns.push(turn());
    hold(LONG_MS);
  }
}

/** Counts turns of the loop until it is stopped. */
function countTurns(): { readonly turn: () => number; readonly stop: () => void } {
  let turn = 0;
  let isStopped = false;
  const count = () => {
    turn += 1;
    if (!isStopped) setImmediate(count);
  };
  count();
  return { turn: () => turn, stop: () => (isStopped = true) };
}

test('long steps of several jobs never run in the same turn of the loop', async () => {
  const turns: number[] = [];
  const { turn, stop } = countTurns();

  await Promise.all([work(3, turns, turn), work(3, turns, turn), work(3, turns, turn)]);
  stop();

  expect(turns).toHaveLength(9);
  expect(new Set(turns).size).toBe(9);
});

test('short steps share a turn of the loop', async () => {
  await pause();
  const { turn, stop } = countTurns();
  const before = turn();

  for (let step = 0; step < 1_000; step++) await pause();
  stop();

  expect(turn() - before).toBeLessThan(100);
});

test('every job gets its turn although another one always has more to do', async () => {
  const order: string[] = [];
  const job = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await pause();
      order.push(name);
      hold(LONG_MS);
    }
  };
  hold(LONG_MS);

  await Promise.all([job('one'), job('other')]);

  expect(order).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
});
