import { expect, test } from 'vitest';

import { legacyResult } from './legacy-result.js';

const content = [{ type: 'text', text: 'as it is' }];

test.each([['a text'], [42], [false], [null], [[1, 2]]])(
  'a value that is no object goes under a name: %j',
  (value) => {
    expect(legacyResult({ content, structuredContent: value })).toEqual({
      content,
      structuredContent: { result: value },
    });
  },
);

test.each([[{ content }], [{ content, structuredContent: { a: 1 } }]])(
  'an object, or nothing, stays as it is: %j',
  (result) => {
    expect(legacyResult(result)).toBe(result);
  },
);
