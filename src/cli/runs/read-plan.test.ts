import fc from 'fast-check';
import { expect, test } from 'vitest';

import { PmlError } from '../../core/index.js';
import { parsePlanText } from './read-plan.js';

const ARRAY = `// what to do
[
  { "tool": "files:list", "args": { "path": "." } }, // first
  { "id": "save", "tool": "files:write" },
]
`;

test('an array is the tasks of a plan; comments and trailing commas are fine', () => {
  expect(parsePlanText(ARRAY, 'plan.json').args).toEqual({
    tasks: [
      { tool: 'files:list', args: { path: '.' } },
      { id: 'save', tool: 'files:write' },
    ],
  });
});

test('an object may say more', () => {
  const { args } = parsePlanText('{"tasks": [], "intent": "x", "approve": "never"}', 'plan.json');

  expect(args).toEqual({ tasks: [], intent: 'x', approve: 'never' });
});

test.each([
  ['[{"tool" "a"}]', 'plan.json:1:10: not valid JSON: colon expected'],
  ['\n[{"tool": "a"}', 'plan.json:2:15: not valid JSON: '],
  ['[1, 2', 'is it cut off?'],
  ['"text"', 'plan.json:1:1: expected an object { … } at the top, got string'],
  ['', 'a plan is [{"tool": "server:tool"'],
  ['{\n  "task": []\n}', 'plan.json:2:11: unknown key task; did you mean tasks?'],
  ['[{"a": 1,\n "a": 2}]', 'plan.json:2:2: this key appears twice'],
])('%s is refused with file, place and fix', (text, problem) => {
  expect(() => parsePlanText(text, 'plan.json')).toThrow(problem);
});

test('problems the daemon names are found in the file', () => {
  const plan = parsePlanText(ARRAY, 'plan.json');
  const problems = [
    'tasks[1].tool: no such',
    'task save: args.path is missing',
    'task t1: unknown tool',
    'task gone: unknown',
    'tasks: too many',
    'something else',
  ];

  const { message, code } = plan.explain(new PmlError('PLAN_INVALID', problems.join('\n')));

  expect(code).toBe('PLAN_INVALID');
  expect(message.split('\n')).toEqual([
    'plan.json:4:3: tasks[1].tool: no such',
    'plan.json:4:3: task save: args.path is missing',
    'plan.json:3:3: task t1: unknown tool',
    'plan.json: task gone: unknown',
    'plan.json:2:1: tasks: too many',
    'something else',
  ]);
});

test('any text is read or refused with a place, never anything else', () => {
  const pieces = fc.constantFrom('[', ']', '{', '}', '"a"', ':', ',', '1', '\n', '// x', '/*', ' ');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      expect(readOrRefuse(parts.join(''))).toMatch(/^read$|^plan\.json:\d+:\d+: /);
    }),
  );
});

function readOrRefuse(text: string): string {
  try {
    parsePlanText(text, 'plan.json');
    return 'read';
  } catch (error) {
    return error instanceof PmlError ? error.message : String(error);
  }
}
