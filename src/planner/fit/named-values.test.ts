import { expect, test } from 'vitest';

import { task } from '../../../test/helpers/run-parts.js';
import { findLiterals } from '../literals/intent-literals.js';
import { takesValue, unplacedValues } from './named-values.js';

test('a value that stands inside an argument is placed, a value in no argument is not', () => {
  const tasks = [task('a', [], { args: { note: 'for "Rome"' } })];

  expect(unplacedValues('the weather of Rome and Oslo', tasks)).toEqual(['Oslo']);
});

test('an argument takes a value as a whole, in part, or in a sentence, but not inside a word', () => {
  const [rome] = findLiterals('the weather of Rome');

  expect(takesValue('rome', rome!)).toBe(true);
  expect(takesValue('a note on Rome', rome!)).toBe(true);
  expect(takesValue('romeo.txt', rome!)).toBe(false);
});
