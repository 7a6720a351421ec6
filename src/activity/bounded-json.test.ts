import fc from 'fast-check';
import { expect, test } from 'vitest';

import { boundedJson } from './bounded-json.js';

test('boundedJson writes a value within the limit like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const { text, isCut } = boundedJson(value, 1_000_000);

      expect(isCut).toBe(false);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('boundedJson cuts a longer value and still reports its full size', () => {
  const value = { rows: Array.from({ length: 100 }, (_, i) => ({ i, text: 'abcdefgh' })) };

  const { text, isCut, size } = boundedJson(value, 200);

  expect(text).toHaveLength(200);
  expect(isCut).toBe(true);
  expect(size).toBe(JSON.stringify(value).length);
});

test('boundedJson reads only the beginning of one long text', () => {
  const { text, size, isCut } = boundedJson({ text: '"'.repeat(10_000_000) }, 100);

  expect(text.length).toBeLessThanOrEqual(100);
  expect(size).toBeGreaterThanOrEqual(10_000_000);
  expect(isCut).toBe(true);
});

test('boundedJson stops early in a circular or very long value', () => {
  const deep: Record<string, unknown> = {};
  deep['self'] = deep;

  expect(boundedJson(deep, 100).isCut).toBe(true);
  expect(
    boundedJson(
      Array.from({ length: 1_000_000 }, () => 1),
      100,
    ).size,
  ).toBeLessThan(100_000);
});

test('boundedJson writes a small value like it writes the beginning of a large one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const whole = boundedJson(value, 5_999);

      fc.pre(!whole.isCut);
      expect(boundedJson(value, 8_192)).toEqual(whole);
    }),
  );
});
