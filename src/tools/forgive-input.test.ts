import { expect, test } from 'vitest';

import { forgiveInput, withoutFence } from './forgive-input.js';

const RULES = { aliases: { intent: ['query', 'q'] }, numbers: ['limit'], json: ['tasks'] };

test.each([
  [{ query: 'mail' }, { intent: 'mail' }],
  [
    { intent: 'mail', query: 'other' },
    { intent: 'mail', query: 'other' },
  ],
  [{ limit: '2' }, { limit: 2 }],
  [{ limit: 'many' }, { limit: 'many' }],
  [{ tasks: '[{"tool":"a:b"}]' }, { tasks: [{ tool: 'a:b' }] }],
  [{ tasks: '```json\n[]\n```' }, { tasks: [] }],
  [{ tasks: '[{"tool"' }, { tasks: '[{"tool"' }],
  [{ tasks: '7' }, { tasks: '7' }],
])('the input %j is meant as %j', (args, meant) => {
  expect(forgiveInput(args, RULES)).toEqual(meant);
});

test.each([
  ['```ts\nreturn 1\n```', 'return 1'],
  ['\n~~~typescript\nconst a = `x`;\nreturn a\n~~~\n', 'const a = `x`;\nreturn a'],
  ['return `a`', 'return `a`'],
  ['const text = "```"', 'const text = "```"'],
])('the code in %j is %j', (text, code) => {
  expect(withoutFence(text)).toBe(code);
});
