import fc from 'fast-check';
import { expect, test } from 'vitest';

import { resultFault } from './result-fault.js';

test.each([
  [{ content: [] }],
  [{ content: [{ type: 'text', text: '' }] }],
  [{ content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], isError: true }],
  [{ content: [{ type: 'resource', resource: { uri: 'a:b', blob: '' } }], _meta: { a: 1 } }],
  [{ content: [{ type: 'resource_link', uri: 'a:b', name: 'b' }], structuredContent: null }],
  [{ content: [{ type: 'of the future', with: [null] }], extra: 1 }],
  [{ content: [{ type: 'toString' }] }],
])('resultFault accepts the result %j', (result) => {
  expect(resultFault(result)).toBeUndefined();
});

test.each([
  [null, 'is not an object'],
  [[], 'is not an object'],
  [{}, 'has "content" that is not a list'],
  [{ content: [null] }, 'has content[0] that is not an object'],
  [{ content: [{ type: 'text', text: 'a' }, 7] }, 'has content[1] that is not an object'],
  [{ content: [{ text: 'a' }] }, 'has content[0] without a "type"'],
  [{ content: [{ type: 'text', text: 7 }] }, 'has content[0] of type "text" without "text"'],
  [{ content: [{ type: 'audio' }] }, 'has content[0] of type "audio" without "data"'],
  [
    { content: [{ type: 'resource', resource: [] }] },
    'has content[0] of type "resource" without "resource"',
  ],
])('resultFault says of %j that it %s', (result, fault) => {
  expect(resultFault(result)).toBe(fault);
});

test('resultFault judges any value at all without an exception', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.jsonValue()), (any, content) => {
      expect(() => [resultFault(any), resultFault({ content })]).not.toThrow();
    }),
  );
});
