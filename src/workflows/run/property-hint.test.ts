import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import { propertyHint } from './property-hint.js';

const failedAt = (line: number) =>
  `TypeError: cannot read property 'length' of undefined\n  at line ${line}, column 3: x`;
const CALLS = [
  { tool: id('my-crm:find'), value: { customers: [{ id: 'c-1' }], page: { next: null } } },
  { tool: id('fs:read'), value: 'some text' },
  { tool: id('fs:list'), value: ['a', 'b'] },
];

test.each([
  [
    'const r = await mcp.my_crm.find({});\nreturn r.items.length',
    'r.items does not exist: r (from my-crm:find) has customers, page',
  ],
  [
    "const r = await mcp['my-crm']['find']({});\nreturn r.page.total.length",
    'r.page.total does not exist: r.page (from my-crm:find) has next',
  ],
  [
    'const r = await mcp.fs.read({});\nreturn r.content.length',
    'r.content does not exist: r (from fs:read) is a text',
  ],
  [
    'const r = await mcp.fs.list({});\nreturn r.files.length',
    'r.files does not exist: r (from fs:list) is a list of 2',
  ],
])('a script that reads a wrong property gets a hint with the right ones: %s', (code, hint) => {
  expect(propertyHint(code, failedAt(2), CALLS)).toBe(hint);
});

test.each([
  ['const r = await mcp.fs.list({});\nreturn r.map(nothing.x)', failedAt(2)],
  ['const r = await mcp.my_crm.find({});\nreturn r.customers.length', failedAt(2)],
  ['const r = await other();\nreturn r.items.length', failedAt(2)],
  ['const r = await mcp.my_crm.find({});\nreturn r.items', 'Error: no\n  at line 2, column 1: x'],
  ['return 1', failedAt(7)],
])('a script that failed for another reason gets no hint: %s', (code, message) => {
  expect(propertyHint(code, message, CALLS)).toBeUndefined();
});
