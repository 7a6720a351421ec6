import { expect, test } from 'vitest';

import { safePattern } from './safe-pattern.js';

test.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'ABC', false],
  ['^#[0-9A-Fa-f]{6}$', '#00ff00', true],
  ['^[0-9a-f]{8}-[0-9a-f]{4}$', 'deadbeef-cafe', true],
  ['^(GET|POST)$', 'PUT', false],
  ['^[a-z]([a-z0-9-]{0,58}[a-z0-9])?$', 'a-b', true],
  // Not a pattern with the `u` flag, but authors mean it.
  ['^[\\w-.]+$', 'a-b.c', true],
  ['\\p{Lu}', 'é', false],
  ['[(*]', '*', true],
])('%s on %s: %s', (source, text, matches) => {
  expect(safePattern(source)?.test(text)).toBe(matches);
});

test.each(['(', '(a+)+', '(a|b)*', '(?:a?){40}', '(a)\\1', '(?<x>a)\\k<x>', '((a*))+'])(
  '%s is not tried',
  (source) => {
    expect(safePattern(source)).toBeUndefined();
  },
);

test('the more a pattern leaves open, the shorter the texts it is tried on', () => {
  const text = 'a'.repeat(1_500);

  expect(safePattern('^a*$')?.test(text)).toBe(true);
  expect(safePattern('^a*b*$')?.test(text)).toBeUndefined();
  expect(safePattern('^a*b*$')?.test('aab')).toBe(true);
  expect(safePattern('^c|a*b')?.test(text)).toBeUndefined();
});
