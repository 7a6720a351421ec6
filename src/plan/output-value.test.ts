import { expect, test } from 'vitest';

import type { ToolResult } from '../core/index.js';
import { outputValue } from './output-value.js';

const text = (...texts: string[]) => texts.map((value) => ({ type: 'text', text: value }));
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };

test.each<[string, ToolResult, unknown]>([
  ['structured content', { content: text('no'), structuredContent: { a: 1 } }, { a: 1 }],
  ['JSON text', { content: text('{"a": [1]}') }, { a: [1] }],
  ['a plain number', { content: text(' 42\n') }, 42],
  ['a number too long to keep', { content: text('12345678901234567890') }, '12345678901234567890'],
  ['prose', { content: text('It is done.') }, 'It is done.'],
  ['several texts', { content: [...text('a'), image, ...text('b')] }, 'a\nb'],
  ['no text', { content: [image] }, [image]],
  ['nothing', { content: [] }, []],
])('a reference to %s sees its value', (_, result, value) => {
  expect(outputValue(result)).toEqual(value);
});
