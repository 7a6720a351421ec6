import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { MOST_NESTING, nestsTooDeep, parseJson } from './parse-json.js';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('parseJson gives every value that JSON.parse gives', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('parseJson gives nothing for text that only looks like JSON', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('', ' ', '[', '{', '["', '{"a', '"', '-', '1', 't', 'null', ' true'),
      (text, start) => {
        const whole = `${start}${text}`;
        let expected: unknown;
        try {
          expected = JSON.parse(whole);
        } catch {
          expected = undefined;
        }
        expect(parseJson(whole)).toEqual(expected);
      },
    ),
  );
});

describe('parseJson', () => {
  test('parseJson reads JSON up to the depth limit and keeps deeper JSON as text', () => {
    expect(parseJson(nested(MOST_NESTING))).toBeDefined();
    expect(parseJson(nested(MOST_NESTING + 1))).toBeUndefined();
    expect(parseJson(`{"a":${nested(20_000)}}`)).toBeUndefined();
  });

  test('parseJson does not count brackets inside strings', () => {
    const brackets = '['.repeat(MOST_NESTING * 2);

    expect(parseJson(JSON.stringify([brackets, `\\"${brackets}`]))).toHaveLength(2);
  });

  test('parseJson keeps a text of too many small parts as text, and reads one with many values', () => {
    expect(parseJson(`[${'[],'.repeat(2_000_001)}0]`)).toBeUndefined();
    expect(parseJson(`[${'1,'.repeat(2_000_001)}0]`)).toHaveLength(2_000_002);
  });

  test('parseJson gives up on endless brackets without parsing them', () => {
    expect(parseJson('['.repeat(5_000_000))).toBeUndefined();
    expect(parseJson(`["${'\\'.repeat(1_000_001)}`)).toBeUndefined();
  });
});

test('nestsTooDeep judges depth alone, however many parts there are', () => {
  expect(nestsTooDeep(nested(MOST_NESTING + 1))).toBe(true);
  expect(nestsTooDeep(`[${'[],'.repeat(2_000_001)}0]`)).toBe(false);
});
