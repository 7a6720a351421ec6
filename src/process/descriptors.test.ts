import { expect, test } from 'vitest';

import { PmlError } from '../core/index.js';
import { descriptors, hasRoom, isExhausted } from './descriptors.js';

test('some of the files are kept for the store and the journal', () => {
  expect(hasRoom({ limit: 256, used: 150 }, 8)).toBe(true);
  expect(hasRoom({ limit: 256, used: 190 }, 8)).toBe(false);
  expect(hasRoom({ limit: 10_000, used: 9_900 }, 8)).toBe(true);
  expect(hasRoom({ limit: 10_000, used: 9_950 }, 8)).toBe(false);
});

test('of a very low limit most is left for servers', () => {
  expect(hasRoom({ limit: 64, used: 36 }, 8)).toBe(true);
});

test('an unlimited number of files is room enough', () => {
  expect(hasRoom({ limit: Infinity, used: 5_000 }, 8)).toBe(true);
});

test.runIf(process.platform === 'linux')('a process knows its limit and its open files', () => {
  expect(descriptors()?.limit).toBeGreaterThan(descriptors()!.used);
  expect(descriptors()?.used).toBeGreaterThan(3);
});

test('an error that files ran out is known by its code, however deep it lies', () => {
  const emfile = Object.assign(new Error('too many open files'), { code: 'EMFILE' });

  expect(isExhausted(new PmlError('STORE_FAILED', 'not opened', { cause: emfile }))).toBe(true);
  expect(isExhausted(new Error('damaged'))).toBe(false);
  expect(isExhausted('EMFILE')).toBe(false);
});
