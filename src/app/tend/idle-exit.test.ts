import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { IdleExit } from './idle-exit.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch({
  idleMs = 1_000,
  isBusy = () => false,
}: {
  idleMs?: number;
  isBusy?: () => boolean;
}) {
  const onIdle = vi.fn<() => void>();
  return { onIdle, idle: new IdleExit({ idleMs, isBusy, onIdle }) };
}

test('ends once nobody has come or gone for the whole time', () => {
  const { idle, onIdle } = watch({});

  idle.touch();
  vi.advanceTimersByTime(900);
  idle.touch();
  vi.advanceTimersByTime(900);

  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(onIdle).toHaveBeenCalledOnce();
});

test('does not end under somebody who came without being told of', () => {
  let isBusy = false;
  const { idle, onIdle } = watch({ isBusy: () => isBusy });

  idle.touch();
  isBusy = true;
  vi.advanceTimersByTime(5_000);

  expect(onIdle).not.toHaveBeenCalled();
});

test('with a time of 0 never ends', () => {
  const { idle, onIdle } = watch({ idleMs: 0 });

  idle.touch();
  vi.advanceTimersByTime(1e9);

  expect(onIdle).not.toHaveBeenCalled();
});

test('ends after what kept it busy is over, though nobody says so', () => {
  let isBusy = true;
  const { idle, onIdle } = watch({ isBusy: () => isBusy });

  idle.touch();
  vi.advanceTimersByTime(5_500);
  isBusy = false;
  vi.advanceTimersByTime(1_000);

  expect(onIdle).toHaveBeenCalledOnce();
});
