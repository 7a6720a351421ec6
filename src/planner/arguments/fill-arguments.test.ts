import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { task } from '../../../test/helpers/run-parts.js';
import { type JsonObject, parseToolId, type Task } from '../../core/index.js';
import { SURE } from '../../learning/index.js';
import { checkArgs } from '../../validation/index.js';
import { findLiterals } from '../literals/intent-literals.js';
import type { PlannableTool } from '../plannable-tool.js';
import { fillArguments } from './fill-arguments.js';

const text = { type: 'string' };
const number = { type: 'number' };
const whole = { type: 'integer' };
const texts = { type: 'array', items: text };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'fs:read_file': object({ path: text, head: whole }, ['path']),
  'fs:move_file': object({
    source: { ...text, description: 'Path of the file' },
    destination: text,
  }),
  'fs:write_file': object({ path: text, content: text }),
  'github:list_issues': object(
    { owner: text, repo: text, state: { enum: ['open', 'closed', 'all'] }, per_page: whole },
    ['owner', 'repo'],
  ),
  'github:create_issue': object({ repo: text, title: text, assignees: texts }, ['repo', 'title']),
  'github:get_issue': object({ repository: text, issue_number: whole }),
  'mail:send': object({ to: texts, subject: text, body: text }),
  'mail:forward': object({ to: { ...text, format: 'email' }, message_id: text }),
  'calendar:create_event': object({
    title: text,
    date: { ...text, format: 'date' },
    start_time: text,
    attendees: { type: 'array', items: { ...text, format: 'email' } },
  }),
  'sql:query': object({ sql: text, limit: whole }, ['sql']),
  'time:convert': object({ source_timezone: text, target_timezone: text, time: text }),
  'chat:post': object({ channel: text, text }),
  'weather:forecast': object(
    { city: text, days: whole, units: { enum: ['celsius', 'fahrenheit'] } },
    ['city'],
  ),
  'travel:find_city': object({ name: { ...text, description: 'Name of the city' } }),
  'mail:find_contact': object({ name: { ...text, description: 'Full name of the person' } }),
  'mail:list': object({ from: { ...text, description: 'Full name of who sent them' } }),
  'travel:compare': object({ cities: texts }),
  'food:reserve': object({ restaurant_name: text }),
  'web:fetch': object({ url: { ...text, format: 'uri' } }),
  'crm:find_user': object({ first_name: text, last_name: text, zip: text }),
  'shop:get_order': object({
    order_id: { ...text, description: "The order id, such as '#W0000000'." },
  }),
  'shop:pay': object({ amount: { ...number, minimum: 1 }, password: text }),
};
const TOOLS = new Map(
  Object.entries(SCHEMAS).map(([id, inputSchema]): [PlannableTool['id'], PlannableTool] => [
    parseToolId(id).id,
    { id: parseToolId(id).id, inputSchema },
  ]),
);

const one = (id: string, tool: string, args: JsonObject = {}): Task => ({
  ...task(id, [], { args }),
  tool: parseToolId(tool).id,
});

function propose(intent: string, tasks: readonly Task[]) {
  return fillArguments(tasks, { intent, literals: findLiterals(intent) }, TOOLS);
}

function fill(intent: string, tool: string, args: JsonObject = {}): JsonObject {
  const sure = propose(intent, [one('a', tool, args)]).filter(({ score }) => score >= SURE);
  return Object.fromEntries(sure.map(({ param, value }) => [param, value]));
}

describe('what a request says', () => {
  test.each<[string, string, JsonObject]>([
    ['Show me what is in ~/notes/todo.md', 'fs:read_file', { path: '~/notes/todo.md' }],
    ['Read "/home/ann/My Files/a.txt"', 'fs:read_file', { path: '/home/ann/My Files/a.txt' }],
    [
      'Move it from /a/x.txt to /b/x.txt',
      'fs:move_file',
      { source: '/a/x.txt', destination: '/b/x.txt' },
    ],
    [
      'list the open issues of acme/web-site',
      'github:list_issues',
      { owner: 'acme', repo: 'web-site', state: 'open' },
    ],
    [
      'Open an issue titled "Crash on start" in acme/site',
      'github:create_issue',
      { repo: 'acme/site', title: 'Crash on start' },
    ],
    [
      'What is issue #42 in the repository acme/site about?',
      'github:get_issue',
      { repository: 'acme/site', issue_number: 42 },
    ],
    [
      'Mail ann@x.io, bob@y.io with the subject "Lunch" saying "At noon"',
      'mail:send',
      { to: ['ann@x.io', 'bob@y.io'], subject: 'Lunch', body: 'At noon' },
    ],
    ['Forward it to bob@acme.io', 'mail:forward', { to: 'bob@acme.io' }],
    ['look up Finn Berg in the address book', 'mail:find_contact', { name: 'Finn Berg' }],
    ['what did I get of Gina Rossi?', 'mail:list', { from: 'Gina Rossi' }],
    [
      'Create an event titled "Review" on 2026-05-04 at 14:30 with ann@x.io',
      'calendar:create_event',
      { title: 'Review', date: '2026-05-04', start_time: '14:30', attendees: ['ann@x.io'] },
    ],
    [
      'Run `select * from users` with limit=10',
      'sql:query',
      { sql: 'select * from users', limit: 10 },
    ],
    [
      'Convert 14:30 from Europe/Berlin to America/New_York',
      'time:convert',
      { source_timezone: 'Europe/Berlin', target_timezone: 'America/New_York', time: '14:30' },
    ],
    ['Send "hello all" to #general', 'chat:post', { channel: '#general', text: 'hello all' }],
    [
      'What is the weather in San Francisco for 5 days in celsius?',
      'weather:forecast',
      { city: 'San Francisco', days: 5, units: 'celsius' },
    ],
    ['Fetch www.example.com', 'web:fetch', { url: 'https://www.example.com' }],
    [
      'You are Yusuf Rossi in zip code 19122.',
      'crm:find_user',
      { first_name: 'Yusuf', last_name: 'Rossi', zip: '19122' },
    ],
    ['Where is my order #W2378156?', 'shop:get_order', { order_id: '#W2378156' }],
  ])('fillArguments fills what the request says: %s', (intent, tool, args) => {
    expect(fill(intent, tool)).toEqual(args);
  });
});

describe('what a request does not say', () => {
  test.each<[string, string, JsonObject]>([
    ['Read it', 'fs:read_file', {}],
    ['Compare /a/x.txt with /b/y.txt', 'fs:read_file', {}],
    ['Summarize it and save the result to /out/a.md', 'fs:read_file', {}],
    ['Pay with the password "hunter22"', 'shop:pay', {}],
    ['You are mei_patel_7272. Where is it?', 'shop:get_order', {}],
    ['Forward the mail of 5/4/2024', 'mail:forward', {}],
    ['Meet on Monday', 'calendar:create_event', {}],
    ['Book a table at a Chinese restaurant', 'food:reserve', {}],
    ['Write about a restaurant by Ann Lee', 'food:reserve', {}],
    ['The restaurant with the ID "x1y2z3"', 'food:reserve', {}],
  ])('fillArguments leaves open what the request does not say: %s', (intent, tool, args) => {
    expect(fill(intent, tool)).toEqual(args);
  });

  test('fillArguments proposes an ambiguous literal with a low score', () => {
    const [hint] = propose('Compare /a/x.txt with /b/y.txt', [one('a', 'fs:read_file')]);

    expect(hint).toMatchObject({ param: 'path', value: '/a/x.txt' });
    expect(hint?.score).toBeLessThan(SURE);
  });
});

test.each([
  ['note the weather of Vienna in notes/vienna.txt', 'weather:forecast', { city: 'Vienna' }],
  ['notes/vienna.txt is to be about Vienna', 'fs:read_file', { path: 'notes/vienna.txt' }],
  ['find the city of Vienna', 'travel:find_city', { name: 'Vienna' }],
  ['the weather in Vienna', 'travel:find_city', { name: 'Vienna' }],
  [
    'the weather in Vienna, Graz and Linz',
    'travel:compare',
    { cities: ['Vienna', 'Graz', 'Linz'] },
  ],
])('fillArguments for "%s" gives %s the literal that fits', (intent, tool, args) => {
  expect(fill(intent, tool)).toEqual(args);
});

describe('several tasks', () => {
  const valuesOf = (intent: string, tasks: readonly Task[]) =>
    propose(intent, tasks)
      .filter(({ score }) => score >= SURE)
      .map(({ task: id, value }) => [id, value]);

  test('tasks of the same tool take literals in the order of the request', () => {
    const tasks = [one('a', 'weather:forecast'), one('b', 'weather:forecast')];

    expect(valuesOf('Compare the weather in Paris and in Rome', tasks)).toEqual([
      ['a', 'Paris'],
      ['b', 'Rome'],
    ]);
  });

  test('tasks of the same tool share a list of names that is too long for one task', () => {
    const intent = 'the weather in Vienna and Graz';
    const [a, b] = [one('a', 'weather:forecast'), one('b', 'weather:forecast')];

    expect(valuesOf(intent, [a])).toEqual([]);
    expect(valuesOf(intent, [a, b])).toEqual([
      ['a', 'Vienna'],
      ['b', 'Graz'],
    ]);
  });

  test('tasks of different tools may take the same literal', () => {
    const tasks = [
      one('a', 'github:create_issue', { title: 'x' }),
      one('b', 'github:get_issue', { issue_number: 1 }),
    ];

    expect(valuesOf('in acme/site', tasks)).toEqual([
      ['a', 'acme/site'],
      ['b', 'acme/site'],
    ]);
  });

  test('tasks keep the arguments they were given', () => {
    expect(fill('Read /a/x.txt', 'fs:read_file', { path: '/b' })).toEqual({});
  });
});

test('fillArguments is deterministic and never proposes a value that the schema rejects', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      'to',
      'in',
      'from',
      'repo',
      'order',
      'limit=0.5',
      'days',
      '3.5',
      '5 days',
      '"x"',
    ),
    fc.constantFrom('#W1234567', 'acme/site', 'a@b.co', 'Ann Lee', 'celsius', '/x/y', '-3', '#42'),
  );
  const enumOrPattern = object({
    kind: { enum: ['a', 2] },
    code: { type: 'string', pattern: '^\\p{Lu}{3}$' },
    count: { type: 'integer', maximum: 3 },
    days: { type: 'array', items: whole, maxItems: 1 },
  });
  const id = parseToolId('x:odd').id;
  const tools = new Map([...TOOLS, [id, { id, inputSchema: enumOrPattern }]]);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const intent = parts.join(' ');
      const tasks = [...tools.keys()].map((tool, place) => one(`t${place}`, tool));
      const request = { intent, literals: findLiterals(intent) };
      const proposed = fillArguments(tasks, request, tools);
      for (const { task: taskOf, param, value, score } of proposed) {
        const tool = tools.get(tasks.find((other) => other.id === taskOf)!.tool)!;
        const { required: _, ...schema } = tool.inputSchema;
        expect(checkArgs(schema, { [param]: value }, () => false)).toEqual([]);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
      }
      expect(fillArguments(tasks, request, tools)).toEqual(proposed);
    }),
    { numRuns: 50 },
  );
});
