import { describe, expect, test } from 'vitest';

import { type JsonObject, parseToolId } from '../../core/index.js';
import { parsePlan } from '../../plan/parse-plan.js';
import type { PlannableTool } from '../plannable-tool.js';
import { BindingMemory } from './binding-memory.js';
import { completePlan } from './complete-plan.js';

const text = { type: 'string' };
const anyObject = { type: 'object' };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});

type Source = NonNullable<PlannableTool['output']>['source'];

function tool(
  id: string,
  input: JsonObject,
  { output, source = 'declared' as Source }: { output?: JsonObject; source?: Source } = {},
): PlannableTool {
  return {
    id: parseToolId(id).id,
    inputSchema: input,
    ...(output && { output: { schema: output, source } }),
  };
}

function complete(tools: readonly PlannableTool[], tasks: readonly object[]) {
  return completePlan(parsePlan(tasks, { maxTasks: 20 }), {
    tools: new Map(tools.map((one) => [one.id, one])),
    memory: new BindingMemory(),
  });
}

const bound = ({ bindings }: ReturnType<typeof complete>) =>
  bindings.map(({ from, path, to, param }) => `${to}.${param} ← ${from}.${path}`);

const create = tool('github:create', object({ data: anyObject }));
const parseInput = object({ jsonString: text });
const readInput = object({ path: text });
const readText = (source: Source) =>
  tool('filesystem:read_text_file', readInput, { output: object({ content: text }), source });
const parseJson = (source: Source) =>
  tool('json:parse', parseInput, { output: object({ parsed: anyObject }), source });

const TASKS = [
  { id: 'c', tool: 'github:create' },
  { id: 'b', tool: 'json:parse', args: { jsonString: '${a.content}' } },
  { id: 'a', tool: 'filesystem:read_text_file', args: { path: 'data.json' } },
];

describe('an object parameter takes its value from an object', () => {
  test.each(['declared', 'observed'] as const)('an object binds to %s results', (source) => {
    const done = complete([create, parseJson(source), readText(source)], TASKS);

    expect(bound(done)).toEqual(['c.data ← b.parsed']);
    expect(done.plan.tasks[0]?.needs).toEqual(['b']);
    expect(done.ambiguous).toEqual([]);
  });

  test('an object parameter takes a deeper field with its name if the upper one has another type', () => {
    const load = tool('api:load', object({}), {
      output: object({ data: text, payload: object({ data: object({ a: text }) }) }),
    });

    expect(
      bound(
        complete(
          [create, load],
          [
            { id: 'c', tool: 'github:create' },
            { id: 'l', tool: 'api:load' },
          ],
        ),
      ),
    ).toEqual(['c.data ← l.payload.data']);
  });
});

describe('a step that transforms a value is not skipped', () => {
  test('a transforming step is not skipped although its results are unknown', () => {
    const unknown = tool('json:parse', parseInput);

    const done = complete([create, unknown, readText('declared')], TASKS);

    expect(done.bindings).toEqual([]);
    expect(done.plan.tasks[0]?.needs).toEqual(['b']);
    expect(done.holes).toMatchObject([
      { task: 'c', param: 'data', hint: expect.stringContaining('`b`') },
    ]);
  });

  test('a transforming step is not skipped although the original value has the parameter name', () => {
    const tools = [
      tool('docs:read_document', readInput, { output: object({ text }) }),
      tool('lang:translate_text', object({ text }), { output: object({ translated_text: text }) }),
      tool('mail:send_text', object({ text })),
    ];

    const done = complete(tools, [
      { id: 'send', tool: 'mail:send_text' },
      { id: 'translate', tool: 'lang:translate_text' },
      { id: 'read', tool: 'docs:read_document', args: { path: 'a.txt' } },
    ]);

    expect(done.plan.tasks.map(({ needs }) => needs)).toEqual([['translate'], ['read'], []]);
    expect(bound(done)).toContain('send.text ← translate.translated_text');
  });

  test('a value that a transforming step does not take bypasses the step', () => {
    const tools = [
      tool('docs:read_document', readInput, { output: object({ text, author_email: text }) }),
      tool('lang:translate_text', object({ text }), { output: object({ translated_text: text }) }),
      tool('mail:send_text', object({ text, author_email: text })),
    ];

    const done = complete(tools, [
      { id: 'send', tool: 'mail:send_text' },
      { id: 'translate', tool: 'lang:translate_text' },
      { id: 'read', tool: 'docs:read_document', args: { path: 'a.txt' } },
    ]);

    expect(bound(done)).toContain('send.author_email ← read.author_email');
  });
});

describe('an id', () => {
  const thing = (name: string, output: JsonObject) =>
    tool(`shop:${name}`, object({ query: text }), { output });
  const taker = (param: string) => tool('shop:use', object({ [param]: text }));
  const take = (param: string, producer: PlannableTool) =>
    complete(
      [taker(param), producer],
      [
        { id: 'use', tool: 'shop:use' },
        { id: 'from', tool: producer.id, args: { query: 'x' } },
      ],
    );

  test.each([
    ['hotel_id', thing('find_city', object({ city_id: text }))],
    ['hotel_id', thing('find_city', object({ city: object({ id: text }) }))],
    ['hotelId', thing('find_city', object({ id: text }))],
    ['user_id', thing('find_order', object({ order_id: text, total: text }))],
    ['customer_key', thing('find_order', object({ order_key: text }))],
    ['order_ref', thing('find_customer', object({ customer_ref: text }))],
    ['order_ref', thing('find_customer', object({ customer_id: text }))],
    ['user_uuid', thing('find_team', object({ uuid: text }))],
    ['userUuid', thing('find_team', object({ team_uuid: text }))],
    ['hotel_ids', thing('find_city', object({ city_ids: text }))],
  ])('an id of another thing does not fill %s', (param, producer) => {
    const done = take(param, producer);

    expect(bound(done)).toEqual([]);
    expect(done.holes).toMatchObject([{ param }]);
    expect(done.holes[0]?.hint).toBeUndefined();
  });

  test.each([
    ['artistId', thing('find_artist', object({ id: text, name: text })), 'id'],
    ['city_id', thing('find_place', object({ city: object({ id: text }) })), 'city.id'],
    ['customer_key', thing('find_customer', object({ key: text })), 'key'],
    [
      'order_ref',
      thing('list_orders', object({ orders: { type: 'array', items: object({ ref: text }) } })),
      'orders[0].ref',
    ],
    ['user_uuid', thing('find_user', object({ uuid: text })), 'uuid'],
    ['user_id', thing('find_user', object({ id: text, city_id: text })), 'id'],
    ['originSkyId', thing('search_airport', object({ skyId: text })), 'skyId'],
  ])('an id of the same thing fills %s', (param, producer, path) => {
    expect(bound(take(param, producer))).toEqual([`use.${param} ← from.${path}`]);
  });

  test('an id of another thing fills the parameter if past values did', () => {
    const producer = thing('find_city', object({ city_id: text }));
    const memory = new BindingMemory();
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
      memory.add({
        id,
        intent: '',
        at: new Date(0),
        source: 'live',
        ok: true,
        calls: [
          { tool: producer.id, ok: true },
          { tool: taker('hotel_id').id, ok: true },
        ],
        bindings: [{ from: 0, to: 1, field: 'city_id', param: 'hotel_id' }],
      });
    }
    const tools = new Map([taker('hotel_id'), producer].map((one) => [one.id, one]));
    const tasks = [
      { id: 'use', tool: 'shop:use' },
      { id: 'from', tool: producer.id, args: { query: 'x' } },
    ];

    expect(bound(completePlan(parsePlan(tasks, { maxTasks: 5 }), { tools, memory }))).toEqual([
      'use.hotel_id ← from.city_id',
    ]);
  });
});

describe('a value of the wrong type is no source, whatever its name', () => {
  const list = { type: 'array', items: text };
  test.each([
    ['an object for a text', anyObject, text],
    ['a text for an object', text, anyObject],
    ['a text for a list', text, list],
    ['a list of objects for a text', { type: 'array', items: anyObject }, text],
    ['a text for a number', text, { type: 'number' }],
    ['a list of objects for a list of texts', { type: 'array', items: anyObject }, list],
  ])('a value of the wrong type is no source: %s', (_, given, wanted) => {
    const done = complete(
      [
        tool('a:get_report', object({}), { output: object({ report: given }) }),
        tool('a:publish', object({ report: wanted })),
      ],
      [
        { id: 'out', tool: 'a:publish' },
        { id: 'in', tool: 'a:get_report' },
      ],
    );

    expect(bound(done)).toEqual([]);
    expect(done.holes[0]?.hint).toBeUndefined();
  });

  test('the main field of a result is preferred to the whole result', () => {
    const done = complete(
      [
        tool('a:get_report', object({}), { output: object({ body: anyObject }) }),
        tool('a:publish_report', object({ report: anyObject })),
      ],
      [
        { id: 'out', tool: 'a:publish_report' },
        { id: 'in', tool: 'a:get_report' },
      ],
    );

    expect(done.holes[0]?.hint).toContain('"in.body"');
  });
});
