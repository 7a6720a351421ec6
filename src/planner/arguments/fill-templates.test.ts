import { describe, expect, test } from 'vitest';

import { task } from '../../../test/helpers/run-parts.js';
import {
  type ExecutionTrace,
  type JsonObject,
  type JsonValue,
  parseToolId,
  type PastBinding,
  taskId,
} from '../../core/index.js';
import { BindingMemory } from '../flow/binding-memory.js';
import type { PlannableTool } from '../plannable-tool.js';
import { fillPlan } from './fill-plan.js';
import { TemplateMemory } from './template-memory.js';

const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const id = (name: string) => parseToolId(name).id;
const TOOLS: readonly PlannableTool[] = [
  {
    id: id('crm:look'),
    inputSchema: object({}),
    output: { schema: object({ name: text, country: text }), source: 'declared' },
  },
  { id: id('mail:send'), inputSchema: object({ text }) },
  { id: id('mail:tag'), inputSchema: object({ tags: { type: 'array', items: text } }) },
];
const tools = new Map(TOOLS.map((one) => [one.id, one]));
const LOOK = { ...task('look_1'), tool: id('crm:look') };
const SEND = { ...task('send'), tool: id('mail:send') };

const BOTH: readonly PastBinding[] = [
  {
    from: 0,
    to: 1,
    field: 'name',
    param: 'text',
    part: { template: 'Customer ${} of ${}' },
  },
  { from: 0, to: 1, field: 'country', param: 'text', part: {} },
];

function past(
  bindings: readonly PastBinding[],
  more: Partial<ExecutionTrace> = {},
): ExecutionTrace {
  const calls = [
    { tool: LOOK.tool, ok: true },
    { tool: SEND.tool, ok: true },
  ];
  return {
    id: 'a',
    intent: 'tell',
    at: new Date(0),
    source: 'live',
    hasOrigins: true,
    ok: true,
    calls,
    bindings,
    ...more,
  };
}

function fill(traces: readonly ExecutionTrace[], { intent = 'tell', tasks = [LOOK, SEND] } = {}) {
  const [memory, templates] = [new BindingMemory(), new TemplateMemory()];
  for (const trace of traces) {
    memory.add(trace);
    templates.add(trace);
  }
  const open = new Set(tasks.map((one) => one.id));
  return fillPlan({ tasks, open }, { intent, tools, memory, templates });
}

const sendOf = ({ plan }: ReturnType<typeof fill>) =>
  plan.tasks.find(({ tool }) => tool === SEND.tool);

describe('a text that past runs put together of results', () => {
  // covers: PLAN-TEMPLATES
  test('a text that past runs composed from results is composed again from the tasks of the plan', () => {
    const filled = fill([past(BOTH), past(BOTH, { id: 'b' })]);

    expect(sendOf(filled)).toMatchObject({
      args: { text: 'Customer ${look_1.name} of ${look_1.country}' },
      needs: [LOOK.id],
    });
    expect(filled.holes).toEqual([]);
    expect(filled.values).toMatchObject([
      { param: 'text', because: 'it was written so in 2 of 2 past calls' },
    ]);
  });

  test.each<[string, readonly PastBinding[]]>([
    ['was not kept', BOTH.map((one) => ({ ...one, part: {} }))],
    ['lacks one of its values', BOTH.slice(0, 1)],
    ['was recorded before templates were', BOTH.map(({ part: _part, ...one }) => one)],
  ])('a composed text is a hole and never a single value if it %s', (_, bindings) => {
    const filled = fill([past(bindings), past(bindings, { id: 'b' })]);

    expect(sendOf(filled)?.args).toEqual({});
    expect(filled.bindings).toEqual([]);
    expect(filled.holes).toMatchObject([{ task: SEND.id, param: 'text' }]);
  });

  test('a composed text is a hole if past runs wrote it differently each time', () => {
    const traces = ['Dear ${} of ${}', 'Hi ${} from ${}', '${}, ${}!'].map((template, at) =>
      past([{ ...BOTH[0]!, part: { template } }, BOTH[1]!], { id: `t${at}` }),
    );

    expect(fill(traces).holes).toMatchObject([{ param: 'text' }]);
  });

  test('a composed text does not repeat words that only another request had', () => {
    const template: JsonValue = 'Order "A-17" for ${} of ${}';
    const trace = past([{ ...BOTH[0]!, part: { template } }, BOTH[1]!], {
      intent: 'tell about order "A-17"',
    });

    expect(fill([trace], { intent: 'tell about order "B-99"' }).holes).toHaveLength(1);
    expect(fill([trace], { intent: 'tell about order "A-17"' }).holes).toHaveLength(0);
  });

  test('a composed text is a hole if two tasks or no task could provide its values', () => {
    const other = { ...LOOK, id: taskId('look_2') };

    expect(fill([past(BOTH)], { tasks: [LOOK, other, SEND] }).holes).toHaveLength(1);
    expect(fill([past(BOTH)], { tasks: [SEND] }).holes).toHaveLength(1);
  });

  test('a composed text escapes words that look like a reference', () => {
    const template = '${} and ${look_1.name} and ${x.y} in ${}';
    const filled = fill([past([{ ...BOTH[0]!, part: { template } }, BOTH[1]!])]);

    expect(sendOf(filled)?.args['text']).toBe(
      '${look_1.name} and $${look_1.name} and $${x.y} in ${look_1.country}',
    );
  });
});

test('a value that filled a whole parameter is still passed on unchanged', () => {
  const bindings = [{ from: 0, to: 1, field: 'name', param: 'text' }];
  const filled = fill(['a', 'b', 'c'].map((one) => past(bindings, { id: one })));

  expect(sendOf(filled)?.args).toEqual({ text: { $ref: 'look_1.name' } });
});

test('a list that contained a result is composed as a list again', () => {
  const tag = { ...task('tag'), tool: id('mail:tag') };
  const part = { template: ['vip', '${}'] };
  const filled = fill(
    [
      past([{ from: 0, to: 1, field: 'name', param: 'tags', part }], {
        calls: [
          { tool: LOOK.tool, ok: true },
          { tool: tag.tool, ok: true },
        ],
      }),
    ],
    { tasks: [LOOK, tag] },
  );

  expect(filled.plan.tasks[1]?.args).toEqual({ tags: ['vip', '${look_1.name}'] });
});
