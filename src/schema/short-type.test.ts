import { expect, test } from 'vitest';

import type { JsonObject } from '../core/index.js';
import { shortType } from './short-type.js';

const leaf: JsonObject = { type: 'string' };
const wrap = (inner: JsonObject): JsonObject => ({
  type: 'object',
  properties: { inner, other: leaf },
  required: ['inner'],
});

test('a type is whole where there is room, and loses what is nested deepest where there is not', () => {
  const schema = { type: 'array', items: wrap(wrap(leaf)) };

  expect(shortType(schema, 100)).toBe('{inner: {inner: string, other?: string}, other?: string}[]');
  expect(shortType(schema, 40)).toBe('{inner: {…}, other?: string}[]');
  expect(shortType(schema, 10)).toBe('{…}[]');
});
