import { expect, test } from 'vitest';

import { PmlError } from '../core/index.js';
import { descriptors, hasRoom, isExhausted } from './descriptors.js';

test('hasRoom reserves some files for the store and the journal', () => {
  expect(hasRoom({ limit: 256, used: 150 }, 8)).toBe(true);
  expect(hasRoom({ limit: 256, used: 190 }, 8)).toBe(false);
  expect(hasRoom({ limit: 10_000, used: 9_900 }, 8)).toBe(true);
  expect(hasRoom({ limit: 10_000, used: 9_950 }, 8)).toBe(false);
});

test('hasRoom leaves most of a very low limit to servers', () => {
  expect(hasRoom({ limit: 64, used: 36 }, 8)).toBe(true);
});

test('hasRoom is always true for an unlimited number of files', () => {
  expect(hasRoom({ limit: Infinity, used: 5_000 }, 8)).toBe(true);
});

test.runIf(process.platform === 'linux')('a process knows its limit and its open files', () => {
  expect(descriptors()?.limit).toBeGreaterThan(descriptors()!.used);
  expect(descriptors()?.used).toBeGreaterThan(3);
});

test('isExhausted recognizes an error about open files by its code, however deep the cause', () => {
  const emfile = Object.assign(new Error('too many open files'), { code: 'EMFILE' });

  expect(isExhausted(new PmlError('STORE_FAILED', 'not opened', { cause: emfile }))).toBe(true);
  expect(isExhausted(new Error('damaged'))).toBe(false);
  expect(isExhausted('EMFILE')).toBe(false);
});
