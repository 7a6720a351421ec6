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

test('idle exit fires once nothing touched it for the whole idle time', () => {
  const { idle, onIdle } = watch({});

  idle.touch();
  vi.advanceTimersByTime(900);
  idle.touch();
  vi.advanceTimersByTime(900);

  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(onIdle).toHaveBeenCalledOnce();
});

test('idle exit does not fire while the daemon is busy, even without a touch', () => {
  let isBusy = false;
  const { idle, onIdle } = watch({ isBusy: () => isBusy });

  idle.touch();
  isBusy = true;
  vi.advanceTimersByTime(5_000);

  expect(onIdle).not.toHaveBeenCalled();
});

test('idle exit with an idle time of 0 never fires', () => {
  const { idle, onIdle } = watch({ idleMs: 0 });

  idle.touch();
  vi.advanceTimersByTime(1e9);

  expect(onIdle).not.toHaveBeenCalled();
});

test('idle exit fires after the daemon stops being busy, even without a touch', () => {
  let isBusy = true;
  const { idle, onIdle } = watch({ isBusy: () => isBusy });

  idle.touch();
  vi.advanceTimersByTime(5_500);
  isBusy = false;
  vi.advanceTimersByTime(1_000);

  expect(onIdle).toHaveBeenCalledOnce();
});
