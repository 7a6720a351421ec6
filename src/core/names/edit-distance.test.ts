import { expect, test } from 'vitest';

import { closestWord, editDistance } from './edit-distance.js';

test.each([
  ['commit', 'commit', 0],
  ['comit', 'commit', 1],
  ['commti', 'commit', 1],
  ['repositry', 'repository', 1],
  ['screnshoot', 'screenshot', 2],
  ['read', 'write', 3],
  ['', 'ab', 2],
])('%s and %s are %i edits apart', (from, to, edits) => {
  expect(editDistance(from, to, 2)).toBe(edits);
  expect(editDistance(to, from, 2)).toBe(edits);
});

test('suggests the nearest word and nothing when none is near', () => {
  expect(closestWord('need', ['id', 'tool', 'args', 'needs'])).toBe('needs');
  expect(closestWord('banana', ['id', 'tool', 'args', 'needs'])).toBeUndefined();
});
