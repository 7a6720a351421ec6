import { expect, test } from 'vitest';

import { parseCode } from '../../code/index.js';
import { readCode, renameCalls } from './rename-calls.js';

const renamed = (code: string, from: string, to: string) =>
  renameCalls(readCode(parseCode(code)), from, to)?.code.text;

test('renameCalls renames every call of a capability and nothing else', () => {
  const code = `
const first = await cap.backUp({ note: 'cap.backUp' }); // cap.backUp
const rest = await Promise.all([1, 2].map((n) => cap.backUp({ n })));
return [first, rest, await cap.backUpAll({})];`;

  expect(renamed(code, 'backUp', 'backUp2')).toBe(`
const first = await cap.backUp2({ note: 'cap.backUp' }); // cap.backUp
const rest = await Promise.all([1, 2].map((n) => cap.backUp2({ n })));
return [first, rest, await cap.backUpAll({})];`);
});

test('renameCalls gives up on calls through variables', () => {
  expect(renamed('const { a } = cap; return a({});', 'a', 'b')).toBeUndefined();
});
