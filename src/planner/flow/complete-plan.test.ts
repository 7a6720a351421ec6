import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type ExecutionTrace, type JsonObject, parseToolId } from '../../core/index.js';
import { orderTasks } from '../../plan/order-tasks.js';
import { parsePlan } from '../../plan/parse-plan.js';
import type { PlannableTool } from '../plannable-tool.js';
import { BindingMemory } from './binding-memory.js';
import { completePlan, type CompletePlanOptions } from './complete-plan.js';

const text = { type: 'string' };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});

function tool(id: string, input: JsonObject, output?: JsonObject, description = ''): PlannableTool {
  return {
    id: parseToolId(id).id,
    description,
    inputSchema: input,
    ...(output && { output: { schema: output, source: 'declared' } }),
  };
}

const people = object({
  users: {
    type: 'array',
    items: object({ id: text, name: text, email: { ...text, format: 'email' } }),
  },
});
const TOOLS = [
  tool('crm:find_user', object({ query: text }), people, 'Finds users by name'),
  tool(
    'crm:list_orders',
    object({ user_id: text }),
    object({ orders: { type: 'array', items: object({ id: text, total: { type: 'number' } }) } }),
  ),
  tool(
    'crm:get_order',
    object({ order_id: text, verbose: { type: 'boolean', default: false } }),
    object({ order_id: text, total: { type: 'number' }, status: text }),
  ),
  tool(
    'mail:send',
    object({
      to: text,
      subject: { ...text, description: 'What it is about' },
      kind: { const: 'plain' },
    }),
  ),
  tool('fs:read_report', object({ path: text })),
  tool(
    'web:summarize',
    object({ report: { ...text, description: 'The report to shorten' } }),
    object({ summary: text }),
  ),
];

const complete = (tasks: readonly object[], more: Partial<CompletePlanOptions> = {}) =>
  completePlan(parsePlan(tasks, { maxTasks: 300 }), {
    tools: new Map(TOOLS.map((one) => [one.id, one])),
    memory: new BindingMemory(),
    ...more,
  });

function trace(calls: readonly string[], bindings: ExecutionTrace['bindings']): ExecutionTrace {
  const made = calls.map((id) => ({ tool: parseToolId(id).id, ok: true }));
  const own = { id: 'x', intent: '', at: new Date(0), source: 'live' as const, ok: true };
  return { ...own, calls: made, bindings };
}

describe('a missing required parameter', () => {
  test('a missing parameter is bound to the result it is named after, and its task waits for it', () => {
    const { plan, bindings, holes } = complete([
      { id: 'orders', tool: 'crm:list_orders' },
      { id: 'who', tool: 'crm:find_user', args: { query: 'Ada' } },
    ]);

    expect(plan.tasks[0]).toMatchObject({
      args: { user_id: { $ref: 'who.users[0].id' } },
      needs: ['who'],
    });
    expect(bindings).toMatchObject([
      { from: 'who', path: 'users[0].id', to: 'orders', param: 'user_id' },
    ]);
    expect(bindings[0]?.reasons.map(({ kind }) => kind)).toContain('name');
    expect(holes).toEqual([]);
  });

  test('a missing parameter gets its default or constant before anything is inferred', () => {
    const { plan, holes } = complete([
      { id: 'one', tool: 'crm:get_order', args: { order_id: '7' } },
      { id: 'mail', tool: 'mail:send', args: { to: 'a@b.c', subject: 'Hi' } },
    ]);

    expect(plan.tasks.map(({ args }) => args)).toEqual([
      { order_id: '7', verbose: false },
      { to: 'a@b.c', subject: 'Hi', kind: 'plain' },
    ]);
    expect(holes).toEqual([]);
  });

  test('a missing parameter with a format takes the field named like the format', () => {
    const tools = [
      tool('mail:find_contact', object({ name: text }), object({ contact_id: text, email: text })),
      tool('mail:save_draft', object({ to: { ...text, format: 'email' } })),
    ];

    const { plan } = complete(
      [
        { id: 'who', tool: 'mail:find_contact', args: { name: 'Ann' } },
        { id: 'draft', tool: 'mail:save_draft' },
      ],
      { tools: new Map(tools.map((one) => [one.id, one])), sureFrom: 0.5 },
    );

    expect(plan.tasks[1]?.args).toEqual({ to: { $ref: 'who.email' } });
  });

  test('a missing parameter without a source is a hole with its type and description', () => {
    const { holes } = complete([{ id: 'mail', tool: 'mail:send', args: { to: 'a@b.c' } }]);

    expect(holes).toEqual([
      { task: 'mail', param: 'subject', type: 'string', description: 'What it is about' },
    ]);
  });

  test('an uncertain source of a missing parameter is only a hint', () => {
    const listing = object({ content: text });
    const { plan, bindings, holes } = completePlan(
      parsePlan(
        [
          { id: 'all', tool: 'fs:list_allowed_directories' },
          { id: 'one', tool: 'fs:list_directory' },
        ],
        { maxTasks: 9 },
      ),
      {
        tools: new Map(
          [
            tool(
              'fs:list_allowed_directories',
              object({}),
              listing,
              'The directories one may look into',
            ),
            tool(
              'fs:list_directory',
              object({ path: text }),
              listing,
              'Lists a directory. Only within allowed directories.',
            ),
          ].map((one) => [one.id, one]),
        ),
        memory: new BindingMemory(),
      },
    );

    expect(bindings).toEqual([]);
    expect(plan.tasks[1]?.args).toEqual({});
    expect(holes).toMatchObject([{ task: 'one', param: 'path' }]);
    expect(holes[0]?.hint).toMatch(/^perhaps \{"\$ref":"all\.content"\} \(0\.\d\d\)$/);
  });

  test('a hole names its likely source if the result of that source is unknown', () => {
    const { plan, holes } = complete([
      { id: 'read', tool: 'fs:read_report', args: { path: 'a.txt' } },
      { id: 'short', tool: 'web:summarize' },
    ]);

    expect(plan.tasks[1]?.needs).toEqual(['read']);
    expect(holes).toMatchObject([
      { task: 'short', param: 'report', hint: expect.stringContaining('`read`') },
    ]);
  });

  test('a missing parameter is bound as in past runs, even without other evidence', () => {
    const memory = new BindingMemory();
    const calls = ['fs:read_report', 'mail:send'];
    memory.add(trace(calls, [{ from: 0, to: 1, field: 'head.line', param: 'subject' }]));

    const tasks = [
      { id: 'mail', tool: 'mail:send', args: { to: 'a@b.c' } },
      { id: 'read', tool: 'fs:read_report', args: { path: 'a.txt' } },
    ];

    expect(complete(tasks).bindings).toEqual([]);
    expect(complete(tasks, { memory }).plan.tasks[0]?.args).toMatchObject({
      subject: { $ref: 'read.head.line' },
    });
    expect(complete(tasks, { memory }).bindings[0]?.reasons[0]).toMatchObject({ kind: 'learned' });
  });

  test('a missing parameter with two equal sources stays open, and its task waits for both', () => {
    const { plan, ambiguous, holes } = complete([
      { id: 'a', tool: 'crm:find_user', args: { query: 'Ada' } },
      { id: 'b', tool: 'crm:find_user', args: { query: 'Bob' } },
      { id: 'orders', tool: 'crm:list_orders' },
    ]);

    expect(plan.tasks[2]).toMatchObject({ args: {}, needs: ['a', 'b'] });
    expect(ambiguous).toMatchObject([
      { task: 'orders', param: 'user_id', sources: [{ task: 'a' }, { task: 'b' }] },
    ]);
    expect(holes).toMatchObject([
      { task: 'orders', hint: expect.stringContaining('a.users[0].id') },
    ]);
  });

  test('a missing parameter may come from a running task, which stays unchanged', () => {
    const existing = parsePlan([{ id: 'who', tool: 'crm:find_user', args: { query: 'Ada' } }], {
      maxTasks: 5,
    }).tasks;

    const { plan } = complete([{ id: 'orders', tool: 'crm:list_orders' }], { existing });

    expect(plan.tasks).toHaveLength(1);
    expect(plan.tasks[0]?.needs).toEqual(['who']);
  });
});

describe('nothing is inferred for a task', () => {
  const who = { id: 'who', tool: 'crm:find_user', args: { query: 'Ada' } };

  test.each([
    ['that says it needs nothing', { needs: [] }],
    ['that says what it needs', { needs: ['other'] }],
    ['that refers to another one', { args: { note: '${other.x}' } }],
    ['that was given all it requires', { args: { user_id: '7' } }],
  ])('completePlan infers nothing for a task %s', (_, own) => {
    const other = { id: 'other', tool: 'fs:read_report', args: { path: 'x' } };

    const { plan, bindings } = complete([who, other, { tool: 'crm:list_orders', ...own }]);

    expect(plan.tasks[2]?.needs).not.toContain('who');
    expect(bindings).toEqual([]);
  });

  test('completePlan infers nothing for a task whose tool is unknown', () => {
    expect(complete([who, { id: 'odd', tool: 'x:unknown' }])).toMatchObject({
      bindings: [],
      holes: [],
    });
  });
});

test('an inferred dependency never contradicts an explicit one', () => {
  const { plan, broken } = complete([
    { id: 'orders', tool: 'crm:list_orders' },
    { id: 'who', tool: 'crm:find_user', args: { query: 'Ada' }, needs: ['orders'] },
  ]);

  expect(() => orderTasks(plan)).not.toThrow();
  expect(broken).toMatchObject([{ from: 'who', to: 'orders', cycle: ['who', 'orders', 'who'] }]);
});

const someTasks = fc
  .uniqueArray(fc.tuple(fc.nat(TOOLS.length - 1), fc.nat(30)), {
    maxLength: 8,
    minLength: 1,
    selector: ([, id]) => id,
  })
  .map((rows) => rows.map(([place, id]) => ({ id: `t${id}`, tool: TOOLS[place]?.id })));

test('a completed plan can run and is the same whatever the order of its tasks', () => {
  fc.assert(
    fc.property(someTasks, (tasks) => {
      const { plan, bindings } = complete(tasks);
      const other = complete(tasks.toReversed());

      expect(() => orderTasks(plan)).not.toThrow();
      const byId = new Map(other.plan.tasks.map((task) => [task.id, task.args]));
      for (const { id, args } of plan.tasks) expect(byId.get(id)).toEqual(args);
      for (const { score } of bindings) expect(score).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});
