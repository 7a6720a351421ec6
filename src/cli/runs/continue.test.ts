import { expect, test } from 'vitest';

import { findMisuse } from './continue.js';

test('options a decision would not look at are refused', () => {
  expect(findMisuse('approve', { tasks: 'x.json' })).toBe(
    '--tasks is for inject, replan, not for approve',
  );
  expect(findMisuse('abort', { task: ['a'] })).toContain('--task is for approve');
  expect(findMisuse('reject', { allCalls: true })).toBe(
    '--all-calls is for approve, not for reject',
  );
  expect(findMisuse('retry', { result: null })).toContain('--result is for skip');
});

test('what a decision cannot do without is asked for', () => {
  expect(findMisuse('inject', {})).toBe('inject needs --tasks <file>');
  expect(findMisuse('replan', { tasks: 'x.json' })).toBe('replan needs --requirement <text>');
  expect(findMisuse('replan', { requirement: 'more' })).toBeUndefined();
  expect(findMisuse('skip', { task: ['a'], result: 1 })).toBeUndefined();
  expect(findMisuse('approve', { message: 'go' })).toBeUndefined();
  expect(findMisuse('approve', { because: 'go' })).toContain('--because is for reject');
});
