import { expect, test } from 'vitest';

import { coversUri } from './uri-template.js';

test.each([
  ['test://template/{id}/data', 'test://template/123/data', true],
  ['test://template/{id}/data', 'test://template/1/2/data', false],
  ['file:///{+path}', 'file:///a/b/c.txt', true],
  ['file:///{path*}', 'file:///a/b/c.txt', true],
  ['db://rows{?limit,offset}', 'db://rows?limit=3', true],
  ['db://rows{?limit,offset}', 'db://rows', true],
  ['db://rows', 'db://rowsX', false],
  ['a.b://{x}', 'aXb://1', false],
  ['broken://{x', 'broken://1', false],
])('%s covers %s: %s', (template, uri, expected) => {
  expect(coversUri(template, uri)).toBe(expected);
});
