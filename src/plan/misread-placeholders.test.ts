import { describe, expect, test } from 'vitest';

import { PmlError, taskId } from '../core/index.js';
import { parsePlan } from './parse-plan.js';
import { resolveArgs } from './resolve-args.js';

const first = { id: 'look', tool: 'crm:find' };

function problemOf(text: string, { hasContext = false } = {}): string {
  try {
    parsePlan([first, { id: 'send', tool: 'mail:send', args: { text } }], {
      maxTasks: 5,
      hasContext,
    });
  } catch (error) {
    if (error instanceof PmlError && error.code === 'PLAN_INVALID') return error.message;
    throw error;
  }
  return '';
}

describe('a placeholder that would reach a tool as text is refused with the right form', () => {
  // covers: RUN-PLACEHOLDERS
  test.each([
    ['Dear ${tasks.look.name}', 'write "${look.name}"'],
    ['${steps.look.outputs.name}', 'write "${look.name}"'],
    ['${ look.name }', 'write "${look.name}"'],
    ['Dear ${lok.name}', 'write "${look.name}"'],
    ['{{look.name}}', 'write "${look.name}"'],
    ['Dear {{ look.name }},', 'write "${look.name}"'],
    ['{{look}}', 'write "${look}"'],
    ['{{tasks.look.name}}', 'write "${look.name}"'],
    ['$look.name', 'write "${look.name}"'],
    ['Dear $look.rows[0].name', 'write "${look.rows[0].name}"'],
    ['${customer.name}', '"$${customer.name}" if the text itself is meant'],
    ['${context.user}', '"$${context.user}" if the text itself is meant'],
  ])('parsePlan refuses a placeholder that would reach the tool as text: %s', (text, hint) => {
    const problem = problemOf(text);

    expect(problem).toMatch(/^tasks\[1\]\.args\.text: "/);
    expect(problem).toContain(hint);
  });

  test('parsePlan refuses a placeholder in another format that names the context of the run', () => {
    expect(problemOf('{{context.user}}', { hasContext: true })).toContain('${context.user}');
  });
});

describe('text that is no placeholder of ours passes', () => {
  test.each([
    'echo $HOME ${HOME} ${PATH:-/bin} ${file%.txt} "${list[0]}" ${#list[@]}',
    'It costs $5.00, or $a.b in the worst case; US$look.name',
    'Hello {{user.name}}, {{#each rows}}{{this.id}}{{/each}} {look}',
    'run: echo ${{ look.name }} ${{ secrets.TOKEN }}',
    'console.log(`Hello ${user.name}, you have ${rows.length}`);',
    'jq ".[] | $item.name" and $$look.name',
    '$${customer.name} $${look.name} ${} ${ } {{}} $',
    'look.name and tasks.look.name',
  ])('parsePlan accepts text that is not a placeholder of PML: %s', (text) => {
    expect(problemOf(text)).toBe('');
  });

  test('parsePlan accepts any placeholder-like text in a plan of one task', () => {
    const text = '${project.version} {{t1.name}} $t1.name ${tasks.a.b}';
    const plan = parsePlan([{ tool: 'files:write', args: { text } }], { maxTasks: 5 });

    expect(resolveArgs(plan.tasks[0]!, new Map())).toEqual({ text });
  });

  test('an escaped placeholder reaches the tool as plain text', () => {
    const text = '$${customer.name}, $${look.name}, ${look.name}, $${HOME}, `${user.name}`';
    const { tasks } = parsePlan([first, { tool: 'mail:send', args: { text } }], { maxTasks: 5 });
    const outputs = new Map([[taskId('look'), { name: 'Ann' }]]);

    expect(resolveArgs(tasks[1]!, outputs)).toEqual({
      text: '${customer.name}, ${look.name}, Ann, $${HOME}, `${user.name}`',
    });
  });
});

test('parsePlan refuses a $ref in the format of another tool and names the right form', () => {
  const plan = [first, { tool: 'mail:send', args: { text: { $ref: 'tasks.look.name' } } }];

  expect(() => parsePlan(plan, { maxTasks: 5 })).toThrow('no task `tasks`; write `look.name`');
});
