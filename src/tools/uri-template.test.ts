import fc from 'fast-check';
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
  ['x://{+a}.{b}', 'x://1.2/3.4', true],
  ['x://{+a}.{b}', 'x://1.2/3', false],
  ['x://{a}{#f}', 'x://1#2/3', true],
  ['x://a{/b}', 'x://a/b/c', true],
  ['broken://{x', 'broken://1', false],
])('%s covers %s: %s', (template, uri, expected) => {
  expect(coversUri(template, uri)).toBe(expected);
});

test('repeated expressions do not make matching endless', () => {
  const long = 'a'.repeat(5_000);

  expect(coversUri(`x://${'{+a}'.repeat(30)}`, `x://${long}`)).toBe(true);
  expect(coversUri(`x://${'{+a}'.repeat(30)}/end`, `x://${long}`)).toBe(false);
  expect(coversUri(`x://${'{+a}a'.repeat(30)}!`, `x://${long}`)).toBe(false);
  expect(coversUri(`x://${'{a}'.repeat(30)}!`, `x://${long}`)).toBe(false);
  expect(coversUri('{+a}'.repeat(100_000), long)).toBe(false);
});

test('agrees with the regular expression that says the same', () => {
  const meaning: Readonly<Record<string, string>> = {
    '{v}': '[^/?#]+',
    '{+v}': '.+',
    '{/v}': '.+',
    '{v*}': '.+',
    '{?v}': '(?:[?&][^#]*)?',
    '{&v}': '(?:[?&][^#]*)?',
    '{#v}': '(?:#.*)?',
    a: 'a',
    '/': '/',
    '?': '[?]',
  };
  const parts = fc.array(fc.constantFrom(...Object.keys(meaning)), { maxLength: 6 });
  const uris = fc.string({ unit: fc.constantFrom('a', '/', '?', '#', '&'), maxLength: 8 });

  fc.assert(
    fc.property(parts, uris, (template, uri) => {
      const pattern = template.map((part) => meaning[part]).join('');

      expect(coversUri(template.join(''), uri)).toBe(new RegExp(`^${pattern}$`).test(uri));
    }),
    { numRuns: 2_000 },
  );
});
