import fc from 'fast-check';
import { expect, test } from 'vitest';

import { BestOf } from './best-of.js';

const byName = (one: string, other: string) => one < other;

test('the best items are those that sorting all items would put first', () => {
  const offers = fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 0, max: 5 })), {
    selector: ([name]) => name,
  });
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 10 }), (given, limit) => {
      const best = new BestOf<string>(limit, byName);
      const fits = (name: string) => name.length !== 2;

      for (const [name, value] of given) best.offer(name, value, fits);

      const sorted = given
        .filter(([name]) => fits(name))
        .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, limit);
      expect(best.items).toEqual(sorted.map(([name]) => name));
      expect(best.values).toEqual(sorted.map(([, value]) => value));
    }),
  );
});

test('items that cannot be among the best are not asked whether they fit', () => {
  const asked: string[] = [];
  const best = new BestOf<string>(1, byName);
  const fits = (name: string) => asked.push(name) > 0;

  best.offer('good', 2, fits);
  best.offer('bad', 1, fits);

  expect(asked).toEqual(['good']);
});
