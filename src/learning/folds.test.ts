import { expect, test } from 'vitest';

import { examplesOf } from '../../test/helpers/examples.js';
import { foldsOf } from './folds.js';

test('a group is never on both sides, and no example is lost', () => {
  const examples = examplesOf({ count: 50, telling: {}, groupOf: (place) => `g${place % 7}` });

  const folds = foldsOf(examples, 4);

  const groups = folds.map((fold) => new Set(fold.map(({ group }) => group)));
  expect(groups.reduce((sum, { size }) => sum + size, 0)).toBe(7);
  expect(new Set(folds.flat())).toEqual(new Set(examples));
  expect(folds).toHaveLength(4);
});
