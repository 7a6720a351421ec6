import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { mostOften } from './most-often.js';

test('what was counted most comes first, and names decide between equals', () => {
  const counts = new Map([
    [id('a:rare'), 1],
    [id('a:two'), 5],
    [id('a:one'), 5],
    [id('a:most'), 9],
  ]);

  expect(mostOften(counts, 3)).toEqual(['a:most', 'a:one', 'a:two']);
});
