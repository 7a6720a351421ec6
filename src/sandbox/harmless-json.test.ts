import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseHarmlessJson } from './harmless-json.js';

test('parseHarmlessJson returns a value without harmful keys unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      if (text.includes('__proto__') || text.includes('constructor')) return;

      expect(parseHarmlessJson(text)).toEqual({ value: JSON.parse(text) });
    }),
  );
});

test.each([
  ['{"__proto__":{"polluted":1},"a":1}', '{"a":1}'],
  ['{"\\u005f_proto__":1,"b":[{"__proto__":null}]}', '{"b":[{}]}'],
  ['{"constructor":{"prototype":{"polluted":1}}}', '{}'],
  ['{"constructor":"Ferrari","prototype":1}', '{"constructor":"Ferrari","prototype":1}'],
])('parseHarmlessJson turns %s into %s', (text, expected) => {
  const parsed = parseHarmlessJson(text);

  expect(JSON.stringify('value' in parsed && parsed.value)).toBe(expected);
  expect(Object.assign({}, 'value' in parsed && parsed.value)).not.toHaveProperty('polluted');
});

test('parseHarmlessJson distinguishes invalid JSON from JSON that nests too deep', () => {
  expect(parseHarmlessJson('{')).toEqual({ problem: 'not-json' });
  expect(parseHarmlessJson('['.repeat(100_000) + ']'.repeat(100_000))).toEqual({
    problem: 'too-deep',
  });
  expect(parseHarmlessJson('['.repeat(256) + ']'.repeat(256))).toHaveProperty('value');
});
