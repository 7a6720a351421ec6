import { expect, test } from 'vitest';

import { safeResult } from './as-tool-result.js';

const server = { mask: (text: string) => text.replaceAll('s3cret', '***') };

test('safeResult hides secrets of a server in a result that reports an error, and in no other', () => {
  const content = [{ type: 'text', text: 'key s3cret refused' }];

  const failed = safeResult({ content, isError: true }, 'far:x', server);
  const fine = safeResult({ content }, 'far:x', server);

  expect(failed.content).toEqual([{ type: 'text', text: 'key *** refused' }]);
  expect(fine.content).toEqual(content);
});

test('safeResult refuses a result whose content is no list of blocks', () => {
  expect(() => safeResult({ content: [null] }, 'far:x', server)).toThrow('breaks the protocol');
});
