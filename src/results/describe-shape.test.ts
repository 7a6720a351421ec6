import { expect, test } from 'vitest';

import type { JsonValue } from '../core/index.js';
import { describeShape } from './describe-shape.js';

test('describeShape shows the type of every part, optional keys and mixed types', () => {
  const rows = [
    { id: 1, name: 'a', tags: [], parent: null },
    { id: 2, tags: ['x'], parent: 1 },
  ];

  expect(describeShape(rows)).toBe(
    '{id: number, parent: number|null, tags: string[], name?: string}[]',
  );
  expect(describeShape('text')).toBe('string');
  expect(describeShape([])).toBe('unknown[]');
});

test('describeShape shows an object with very many keys as a map', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]));

  expect(describeShape(wide)).toBe('Record<string, number>');
});

test('describeShape stays short whatever the data', () => {
  const nest = (levels: number): JsonValue =>
    levels === 0
      ? 1
      : Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`key${i}`, nest(levels - 1)]));
  const longKeys = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`${i}${'x'.repeat(5_000)}`, i]),
  );
  let deep: JsonValue = 1;
  for (let level = 0; level < 5_000; level++) deep = level % 2 === 0 ? [deep] : { deep };

  expect(describeShape(nest(4)).length).toBeLessThanOrEqual(400);
  expect(describeShape(longKeys).length).toBeLessThanOrEqual(400);
  expect(describeShape(deep).length).toBeLessThanOrEqual(400);
});
