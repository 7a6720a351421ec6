import { expect, test } from 'vitest';

import { silentLogger } from '../../core/index.js';
import { isPressing, isQuiet, isWorthTidying, lookAtProcess, tendMemory } from './tend-memory.js';

const look = { cpuMs: 0, atMs: 0, heapBytes: 50_000_000 };

test('a process that computes less than a tenth of the time is quiet', () => {
  expect(isQuiet(look, { ...look, cpuMs: 500, atMs: 10_000 })).toBe(true);
  expect(isQuiet(look, { ...look, cpuMs: 2_000, atMs: 10_000 })).toBe(false);
});

test('a heap is made small once, and again only when it has grown', () => {
  expect(isWorthTidying(look, undefined)).toBe(true);
  expect(isWorthTidying(look, 49_000_000)).toBe(false);
  expect(isWorthTidying({ ...look, heapBytes: 90_000_000 }, 49_000_000)).toBe(true);
});

test('a heap that grew by much does not wait for a quiet moment, but is not collected all the time', () => {
  const large = { ...look, atMs: 60_000, heapBytes: 150_000_000 };

  expect(isPressing(large, look)).toBe(true);
  expect(isPressing({ ...large, atMs: 30_000 }, look)).toBe(false);
  expect(isPressing({ ...large, heapBytes: 100_000_000 }, look)).toBe(false);
});

test('an idle daemon tidies up once, and a busy one waits', async () => {
  let now = { ...look };
  let tidied = 0;
  let collected = 0;
  const stop = tendMemory({
    look: () => now,
    tidy: async () => {
      tidied += 1;
      now = { ...now, heapBytes: 40_000_000 };
    },
    collect: async () => {
      collected += 1;
      return 'collected';
    },
    log: silentLogger,
    everyMs: 1,
  });
  const busy = setInterval(() => (now = { ...now, atMs: now.atMs + 1, cpuMs: now.cpuMs + 1 }), 1);

  await expect.poll(() => now.atMs).toBeGreaterThan(20);
  const whileBusy = tidied;
  clearInterval(busy);
  const rest = setInterval(() => (now = { ...now, atMs: now.atMs + 1 }), 1);
  await expect.poll(() => tidied).toBeGreaterThan(0);
  const atMs = now.atMs;
  await expect.poll(() => now.atMs).toBeGreaterThan(atMs + 20);
  clearInterval(rest);
  stop();

  expect([whileBusy, tidied, collected]).toEqual([0, 1, 0]);
});

test('a collection that is put off counts as none, so the daemon tries again', async () => {
  let now = { ...look };
  let asked = 0;
  const stop = tendMemory({
    look: () => now,
    tidy: async () => {},
    collect: async () => {
      asked += 1;
      return 'later';
    },
    log: silentLogger,
    everyMs: 1,
  });
  now = { atMs: now.atMs + 100_000, cpuMs: now.cpuMs + 100_000, heapBytes: 400_000_000 };
  const busy = setInterval(() => (now = { ...now, atMs: now.atMs + 1, cpuMs: now.cpuMs + 1 }), 1);

  await expect.poll(() => asked).toBeGreaterThan(1);
  clearInterval(busy);
  stop();
});

test('a look at this process shows time and memory', () => {
  expect(lookAtProcess().heapBytes).toBeGreaterThan(1_000_000);
  expect(lookAtProcess().cpuMs).toBeGreaterThan(0);
});
