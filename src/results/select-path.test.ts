import { describe, expect, test } from 'vitest';

import type { JsonValue } from '../core/index.js';
import { selectPath } from './select-path.js';

describe('selectPath', () => {
  const value: JsonValue = {
    rows: [
      { id: 1, tags: ['x', 'y'] },
      { id: 2, tags: [] },
    ],
    'a b': 0,
  };

  test.each([
    ['rows[0].id', 1],
    ['rows.1.id', 2],
    ['rows[0:1]', [{ id: 1, tags: ['x', 'y'] }]],
    ['rows[:].id', [1, 2]],
    ['rows[0].tags[1]', 'y'],
    ['a b', 0],
    ['', value],
  ])('selectPath follows %j', (path, found) => {
    expect(selectPath(value, path)).toEqual(found);
  });

  test('selectPath says what exists if the path leads nowhere', () => {
    expect(() => selectPath(value, 'row[0]')).toThrow(/there is keys rows, a b/);
    expect(() => selectPath(value, 'rows[7]')).toThrow(/a list of 2/);
  });

  test('selectPath finds no inherited key', () => {
    expect(() => selectPath(value, 'constructor')).toThrow(/Nothing at/);
  });
});
