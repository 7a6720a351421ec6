import { expect, test } from 'vitest';

import { chooseRun } from './find.js';

const IDS = ['run_ab2', 'run_ab1', 'run_cd1'];

test('latest is the newest, and a beginning that only one run has is enough', () => {
  expect(chooseRun('latest', IDS)).toBe('run_ab2');
  expect(chooseRun('run_c', IDS)).toBe('run_cd1');
  expect(chooseRun('cd', IDS)).toBe('run_cd1');
});

test('a whole id wins over longer ones that begin with it', () => {
  expect(chooseRun('run_ab', ['run_abc', 'run_ab'])).toBe('run_ab');
});

test('what fits several or none is refused with those that are there', () => {
  expect(() => chooseRun('ab', IDS)).toThrow('Several runs begin with "ab": run_ab2, run_ab1');
  expect(() => chooseRun('zz', IDS)).toThrow('No run begins with "zz"; the newest are run_ab2');
  expect(() => chooseRun('latest', [])).toThrow('no runs yet');
});
