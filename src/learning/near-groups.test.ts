import { expect, test } from 'vitest';

import { nearGroups } from './near-groups.js';

test('groups that share the words of a request become one group, also through a third group', () => {
  const rootOf = nearGroups([
    { group: 'a', words: 'ping anna' },
    { group: 'b', words: 'ping anna' },
    { group: 'b', words: 'read the log' },
    { group: 'c', words: 'read the log' },
    { group: 'd', words: 'something else' },
  ]);

  expect(['a', 'b', 'c'].map(rootOf)).toEqual(['a', 'a', 'a']);
  expect(rootOf('d')).toBe('d');
});

test('pairs of near groups become one group, also through a third group', () => {
  const rootOf = nearGroups(
    [],
    [
      ['a', 'b'],
      ['c', 'b'],
    ],
  );

  expect(new Set(['a', 'b', 'c'].map(rootOf)).size).toBe(1);
});

test('requests without words do not join their groups', () => {
  const rootOf = nearGroups([
    { group: 'a', words: '' },
    { group: 'b', words: '' },
  ]);

  expect(rootOf('a')).not.toBe(rootOf('b'));
});
