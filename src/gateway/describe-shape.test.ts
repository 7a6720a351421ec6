import { expect, test } from 'vitest';

import type { JsonValue } from '../core/index.js';
import { describeShape } from './describe-shape.js';

test('tells types, keys and lengths', () => {
  const rows = [{ id: 1, name: 'a', tags: [], parent: null }];

  expect(describeShape(rows)).toBe(
    '{id: number, name: string, tags: unknown[] (0), parent: null}[] (1)',
  );
  expect(describeShape('text')).toBe('string');
});

test('counts keys it does not name', () => {
  const wide = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k${i}`, i]));

  expect(describeShape(wide)).toContain('… 3 more');
});

test('stays short whatever the data looks like', () => {
  const nest = (levels: number): JsonValue =>
    levels === 0
      ? 1
      : Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`key${i}`, nest(levels - 1)]));
  const longKeys = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`${i}${'x'.repeat(5_000)}`, i]),
  );

  expect(describeShape(nest(4)).length).toBeLessThanOrEqual(401);
  expect(describeShape(nest(4))).toContain('key0');
  expect(describeShape(longKeys).length).toBeLessThanOrEqual(401);
});
