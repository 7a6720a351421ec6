import { describe, expect, test } from 'vitest';

import { task } from '../../../test/helpers/run-parts.js';
import {
  type ExecutionTrace,
  type JsonObject,
  parseToolId,
  type PastBinding,
  taskId,
} from '../../core/index.js';
import { BindingMemory } from '../flow/binding-memory.js';
import type { PlannableTool } from '../plannable-tool.js';
import { ArgumentMemory } from './argument-memory.js';
import { fillPlan, type FillPlanOptions } from './fill-plan.js';

const text = { type: 'string' };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const tool = (id: string, inputSchema: JsonObject, output?: JsonObject): PlannableTool => ({
  id: parseToolId(id).id,
  inputSchema,
  ...(output && { output: { schema: output, source: 'declared' } }),
});
const TOOLS = [
  tool('crm:find_user', object({ query: text }), object({ email: { ...text, format: 'email' } })),
  tool(
    'mail:send',
    object({ email: { ...text, format: 'email' }, lang: { ...text, default: 'en' } }),
  ),
  tool('fs:read', object({ path: text })),
];
const tools = new Map(TOOLS.map((one) => [one.id, one]));

const FIND = { ...task('find'), tool: parseToolId('crm:find_user').id };
const READ = { ...task('read'), tool: parseToolId('fs:read').id };
const SEND = { ...task('send'), tool: parseToolId('mail:send').id };

function trace(
  id: string,
  intent: string,
  args: JsonObject,
  bindings: readonly PastBinding[] = [],
): ExecutionTrace {
  const calls = [
    { tool: FIND.tool, ok: true },
    { tool: SEND.tool, ok: true, args },
  ];
  const own = { id, intent, at: new Date(0), source: 'live' as const, ok: true };
  return { ...own, calls, bindings, hasOrigins: true };
}

function fill(intent: string, more: Partial<FillPlanOptions> = {}, tasks = [FIND, SEND]) {
  const open = new Set(tasks.map(({ id }) => id));
  return fillPlan({ tasks, open }, { intent, tools, memory: new BindingMemory(), ...more });
}

const argsOf = ({ plan }: ReturnType<typeof fill>, id: string) =>
  plan.tasks.find((one) => one.id === taskId(id))?.args;

const flow = { from: 0, to: 1, field: 'email', param: 'email' };

describe('of several sources', () => {
  test('a literal of the request takes precedence over a flow inferred from names and types', () => {
    const filled = fill('Find "Ann" and write to bob@y.io');

    expect(argsOf(filled, 'send')).toEqual({ email: 'bob@y.io', lang: 'en' });
    expect(filled.values).toMatchObject([
      { task: 'find', param: 'query', value: 'Ann' },
      { task: 'send', param: 'email', value: 'bob@y.io' },
    ]);
    expect(filled.bindings).toEqual([]);
    expect(filled.holes).toEqual([]);
  });

  test('a flow that past runs had takes precedence over a literal', () => {
    const memory = new BindingMemory();
    memory.add(trace('1', 'x', {}, [flow]));

    const filled = fill('Find "Ann" and write to bob@y.io', { memory });

    expect(argsOf(filled, 'send')).toEqual({ email: { $ref: 'find.email' }, lang: 'en' });
    expect(filled.bindings).toMatchObject([{ from: 'find', to: 'send', param: 'email' }]);
  });

  test('a habitual value takes precedence over a literal that past requests used for something else', () => {
    const past = new ArgumentMemory();
    for (const day of [1, 2, 3]) {
      past.add({
        ...trace(`${day}`, `Look in the journal for notes and save them to /out/${day}.txt`, {}),
        calls: [
          { tool: READ.tool, ok: true, args: { path: '/home/ann/documents/journal-of-the-year' } },
        ],
      });
    }
    const read = (intent: string) => argsOf(fill(intent, { past }, [READ]), 'read');

    expect(read('Notes of the journal, please, into /out/7.txt')).toEqual({
      path: '/home/ann/documents/journal-of-the-year',
    });
    expect(read('Read the notes in /diary.txt and save them to /out/7.txt')).toEqual({
      path: '/diary.txt',
    });
    expect(read('Read the notes at the path /diary.txt')).toEqual({ path: '/diary.txt' });
  });

  test('a flow takes precedence over the values of past calls', () => {
    const past = new ArgumentMemory();
    for (const id of ['1', '2', '3']) past.add(trace(id, 'x', { email: 'ann@x.io' }));

    expect(argsOf(fill('Find "Ann"', { past }), 'send')).toMatchObject({
      email: { $ref: 'find.email' },
    });
    const alone = fill('write', { past }, [SEND]);
    expect(argsOf(alone, 'send')).toMatchObject({ email: 'ann@x.io' });
    expect(alone.values).toMatchObject([{ value: 'ann@x.io', run: '3' }]);
  });

  test('a value of past calls takes precedence over the default', () => {
    const past = new ArgumentMemory();
    for (const id of ['1', '2', '3']) past.add(trace(id, 'x', { lang: 'de' }));

    expect(argsOf(fill('write to bob@y.io', { past }), 'send')).toEqual({
      email: 'bob@y.io',
      lang: 'de',
    });
  });

  test('a parameter gets the literal at the place where a similar run had its value', () => {
    const past = new ArgumentMemory();
    past.add(trace('1', 'the usual mail with ann@x.io', { email: 'ann@x.io' }));
    const similar = [{ id: '1', weight: 0.9 }];

    const { values } = fill('the usual mail with bob@y.io', { past, similar }, [SEND]);

    expect(values.map(({ value }) => value)).toEqual(['bob@y.io']);
  });
});

describe('what nothing gives a value to', () => {
  test('a parameter without a value is a hole with a hint', () => {
    const READ = { ...task('read'), tool: parseToolId('fs:read').id };

    const { holes, plan, values } = fill('Compare /a/x.txt with /b/y.txt', {}, [READ]);

    expect(holes).toMatchObject([{ task: 'read', param: 'path', type: 'string' }]);
    expect(holes[0]?.hint).toMatch(/^perhaps "\/a\/x\.txt" \(0\.\d\d\): the request has a path/);
    expect(plan.tasks[0]?.args).toEqual({});
    expect(values).toEqual([]);
  });

  test('a hole hints at a past text that names what only the past request named', () => {
    const past = new ArgumentMemory();
    past.add({
      ...trace('1', 'look up Lisbon, please', {}),
      calls: [{ tool: FIND.tool, ok: true, args: { query: 'people of Lisbon' } }],
    });
    const similar = [{ id: '1', weight: 1, isSame: true }];

    const { holes, plan } = fill('look up, please', { past, similar }, [FIND]);

    expect(plan.tasks[0]?.args).toEqual({});
    expect(holes).toMatchObject([
      { param: 'query', hint: expect.stringContaining('perhaps "people of Lisbon" (0.30)') },
    ]);
  });

  test('a past value that the schema no longer accepts stays out of the plan', () => {
    const past = new ArgumentMemory();
    for (const id of ['1', '2', '3']) past.add(trace(id, 'x', { email: 17 }));

    expect(fill('write', { past }, [SEND]).holes).toMatchObject([{ param: 'email' }]);
  });
});

test.each([
  'show the file, but never write to /tmp/x.txt',
  'read it without changing /tmp/x.txt',
  'do not overwrite /tmp/x.txt, just read the other file',
])('a path of a change that the request refuses is not offered: %s', (request) => {
  const { holes, plan } = fill(request, {}, [READ]);

  expect(plan.tasks[0]?.args).toEqual({});
  expect(holes).toEqual([{ task: 'read', param: 'path', type: 'string' }]);
});

test('a path beside one that the request refuses to change is used', () => {
  const filled = fill('do not write to /tmp/x.txt, just read /tmp/y.txt', {}, [READ]);

  expect(argsOf(filled, 'read')).toEqual({ path: '/tmp/y.txt' });
});

test('a quoted text that looks like a reference stays text', () => {
  const { plan } = fill('Find "${send.id} and ${HOME}"');

  expect(plan.tasks[0]?.args).toEqual({ query: '$${send.id} and ${HOME}' });
});

test('fillPlan resolves `tomorrow` only if the caller gives the date', () => {
  const { id } = parseToolId('cal:list');
  const calendar = tool('cal:list', object({ date: { ...text, format: 'date' } }));
  const list = { ...task('list'), tool: id };
  const known = { tools: new Map([[id, calendar]]) };

  expect(fill('events of tomorrow', known, [list]).values).toEqual([]);
  expect(
    fill('events of tomorrow', { ...known, today: '2026-03-14' }, [list]).values,
  ).toMatchObject([{ param: 'date', value: '2026-03-15' }]);
});

describe('an object or a list of them', () => {
  const { id } = parseToolId('board:create_card');
  const card = object(
    {
      card: object(
        {
          title: text,
          lane: { ...text, enum: ['todo', 'doing', 'done'] },
          color: { ...text, default: 'white' },
          owner: object({ email: { ...text, format: 'email' } }),
          note: text,
        },
        ['title', 'lane', 'color', 'owner'],
      ),
    },
    ['card'],
  );
  const known = { tools: new Map([[id, tool('board:create_card', card)]]) };
  const create = { ...task('create'), tool: id };
  const past = (...runs: readonly JsonObject[]) => {
    const memory = new ArgumentMemory();
    runs.forEach((args, place) => {
      const calls = [{ tool: id, ok: true, args }];
      memory.add({ ...trace(`${place}`, 'a card', {}), calls });
    });
    return memory;
  };

  test('an object is filled from the request and from defaults', () => {
    const intent = 'Create a card titled "Fix login" in the lane doing for ann@x.io';
    const { plan, holes, values } = fill(intent, known, [create]);

    expect(plan.tasks[0]?.args).toEqual({
      card: {
        title: 'Fix login',
        lane: 'doing',
        color: 'white',
        owner: { email: 'ann@x.io' },
      },
    });
    expect(holes).toEqual([]);
    expect(values.map(({ param }) => param).toSorted()).toEqual([
      'card.lane',
      'card.owner.email',
      'card.title',
    ]);
  });

  test('a missing part of an object is a hole named by its path', () => {
    const { plan, holes } = fill('Create a card titled "Fix login"', known, [create]);

    expect(plan.tasks[0]?.args).toEqual({ card: { title: 'Fix login', color: 'white' } });
    expect(holes.map(({ param, type }) => [param, type])).toEqual([
      ['card.lane', 'string'],
      ['card.owner.email', 'string'],
    ]);
  });

  test('an object gets the parts that all past calls had', () => {
    const made = (title: string) => ({
      card: { title, lane: 'todo', owner: { email: 'ann@x.io' } },
    });
    const memory = past(made('One'), made('Two'), made('Three'));

    const { plan, holes } = fill('A card titled "Four"', { ...known, past: memory }, [create]);

    expect(plan.tasks[0]?.args).toEqual({
      card: { title: 'Four', lane: 'todo', color: 'white', owner: { email: 'ann@x.io' } },
    });
    expect(holes).toEqual([]);
  });

  test('an object is not filled if another task provides it', () => {
    const whole = tool('board:draft', object({}), object({ card: { type: 'object' } }));
    const draft = { ...task('draft'), tool: whole.id };
    const memory = new BindingMemory();
    const calls = [
      { tool: whole.id, ok: true },
      { tool: id, ok: true },
    ];
    const bindings = [{ from: 0, to: 1, field: 'card', param: 'card' }];
    memory.add({ ...trace('1', 'x', {}), calls, bindings });
    const tools = new Map([...known.tools, [whole.id, whole]]);

    const { plan, holes } = fill('Draft a card titled "Five"', { tools, memory }, [draft, create]);

    expect(plan.tasks[1]?.args).toEqual({ card: { $ref: 'draft.card' } });
    expect(holes).toEqual([]);
  });
});

describe('a request that was made before', () => {
  const memory = () => {
    const past = new ArgumentMemory();
    const calls = [{ tool: READ.tool, ok: true, args: { path: '/journal.txt' } }];
    past.add({ ...trace('1', 'Put the notes of ann@x.io into /out/1.txt', {}), calls });
    return past;
  };
  const intent = 'Put the notes of bob@y.io into /out/2.txt';

  test('a repeated request gets its past value before a literal it names', () => {
    const similar = [{ id: '1', weight: 1, isSame: true }];

    const { plan, values } = fill(intent, { past: memory(), similar }, [READ]);

    expect(plan.tasks[0]?.args).toEqual({ path: '/journal.txt' });
    expect(values).toMatchObject([{ param: 'path', run: '1' }]);
  });

  test('a repeated request gets no optional argument that it did not have before', () => {
    const search = tool(
      'fs:search',
      object({ pattern: text, exclude_pattern: text, depth: { type: 'integer' } }, ['pattern']),
    );
    const look = { ...task('look'), tool: search.id };
    const past = new ArgumentMemory();
    const calls = [{ tool: search.id, ok: true, args: { pattern: '*.md', depth: 2 } }];
    past.add({ ...trace('1', 'Look for the pattern "*.md"', {}), calls });
    const similar = [{ id: '1', weight: 1, isSame: true }];

    const { plan } = fill(
      'Look for the pattern "*.ts"',
      { past, similar, tools: new Map([[search.id, search]]) },
      [look],
    );

    expect(plan.tasks[0]?.args).toEqual({ pattern: '*.ts', depth: 2 });
  });

  test('a repeated request with a long token gets no past value', () => {
    const long = `${intent} as https://x.io/${'a'.repeat(60)}`;
    const similar = [{ id: '1', weight: 0.2, isSame: true }];

    expect(fill(long, { past: memory(), similar }, [READ]).values).toEqual([]);
  });
});

test('a parameter whose name looks like a path is treated as one parameter', () => {
  const odd = tool('x:odd', object({ 'filter[mail]': { ...text, format: 'email' } }));
  const find = { ...task('find'), tool: odd.id };

  const { plan } = fill('of ann@x.io', { tools: new Map([[odd.id, odd]]) }, [find]);

  expect(plan.tasks[0]?.args).toEqual({ 'filter[mail]': 'ann@x.io' });
});
