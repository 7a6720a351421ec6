import { expect, test } from 'vitest';

import { renameCalls } from './rename-calls.js';

test('makes every call use the other name, and nothing else', () => {
  const code = `
const first = await cap.backUp({ note: 'cap.backUp' }); // cap.backUp
const rest = await Promise.all([1, 2].map((n) => cap.backUp({ n })));
return [first, rest, await cap.backUpAll({})];`;

  expect(renameCalls(code, 'backUp', 'backUp2')).toBe(`
const first = await cap.backUp2({ note: 'cap.backUp' }); // cap.backUp
const rest = await Promise.all([1, 2].map((n) => cap.backUp2({ n })));
return [first, rest, await cap.backUpAll({})];`);
});

test('gives up on calls through variables', () => {
  expect(renameCalls('const { a } = cap; return a({});', 'a', 'b')).toBeUndefined();
});
