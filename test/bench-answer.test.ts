import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { run } from '../bench/answer.js';
import { readOptions } from '../bench/data/options.js';
import { installBareStore } from './helpers/bare-store.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOOLS = [
  { id: 't1', name: 'send_mail', server: 'mail', description: 'Deliver a message to a recipient' },
  { id: 't2', name: 'forecast', server: 'weather', description: 'Rain and sun of the next days' },
  { id: 't3', name: 'make_slides', server: 'office', description: 'Create a presentation' },
  { id: 't4', name: 'zap', server: 'office', description: 'Runs the quarterly job' },
];
const MEMORY = Array.from({ length: 6 }, (_, at) => ({
  id: `m${at}`,
  query: `do the usual thing for department ${at}`,
  gold: [['t1']],
  order: ['t1'],
  edges: [],
}));
const QUESTIONS = [
  { id: 'q1', query: 'will I need an umbrella tomorrow', gold: [['t2']], order: ['t2'] },
  { id: 'q2', query: 'do the usual thing for department 9', gold: [['t1']], order: ['t1'] },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pml-answer-'));
  const vectors = join(folder, 'vectors');
  await mkdir(vectors);
  await installBareStore(vectors);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function answer(
  questions: readonly object[],
  memory: readonly object[],
  play = here,
): Promise<readonly Ranked[]> {
  return ask<Ranked>('discover', { tools: TOOLS, questions, memory }, play);
}

/** Runs the bench in this process, which need not load all sources again. */
async function here(args: readonly string[]): Promise<void> {
  await run(readOptions(args));
}

/** Runs the bench as a user does. */
async function byCommand(args: readonly string[]): Promise<void> {
  const command = ['--liftoff-only', '--import', 'tsx', 'bench/run.ts', ...args];
  await promisify(execFile)(process.execPath, command, { cwd: ROOT });
}

interface Ranked {
  readonly id: string;
  readonly ranked: readonly string[];
}

interface Files {
  readonly tools: readonly object[];
  readonly memory: readonly object[];
  readonly questions: readonly object[];
  readonly calls?: readonly object[];
}

async function ask<Answer>(
  task: string,
  { tools, memory, questions, calls = [] }: Files,
  play = here,
): Promise<readonly Answer[]> {
  const write = async (name: string, rows: readonly object[]) => {
    const path = join(folder, name);
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return path;
  };
  const out = join(folder, 'out.jsonl');
  const args = [
    'answer',
    task,
    '--out',
    out,
    '--data',
    join(folder, 'vectors'),
    '--tools',
    await write('tools.jsonl', tools),
    '--memory',
    await write('memory.jsonl', memory),
    '--questions',
    await write('questions.jsonl', questions),
    ...(calls.length > 0 ? ['--calls', await write('calls.jsonl', calls)] : []),
  ];
  await play(args);
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Answer);
}

describe('answering the questions of a data set', () => {
  test('bench ranking uses the questions and the memory, and no expected answers [BENCH-NO-LEAK]', async () => {
    const known = await answer(QUESTIONS, MEMORY, byCommand);
    const blind = await answer(
      QUESTIONS.map(({ id, query }) => ({ id, query })),
      MEMORY,
    );

    expect(blind).toEqual(known);
    expect(known.map(({ id, ranked }) => [id, ranked[0]])).toEqual([
      ['q1', 't2'],
      ['q2', 't1'],
    ]);
  }, 90_000);

  test('bench ranking finds a tool by memory that neither words nor meaning find', async () => {
    const [, forgotten] = await answer(QUESTIONS, []);

    expect(forgotten?.ranked[0]).not.toBe('t1');
  }, 90_000);
});

describe('answering which tool passes values to which', () => {
  const text = { type: 'string' };
  const object = (...names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, text])),
    required: names,
  });
  const tools = [
    { id: 'find_user', name: 'find_user', input: object('query'), output: object('id', 'name') },
    { id: 'list_orders', name: 'list_orders', input: object('user_id'), output: object('orders') },
    { id: 'zap', name: 'zap', input: object('x'), output: object('y') },
  ];
  const question = { id: 'q', tools: ['find_user', 'list_orders', 'zap'] };
  const answers = {
    gold: [['find_user'], ['zap']],
    order: ['list_orders', 'find_user', 'zap'],
    edges: [{ s: 'list_orders', t: 'find_user', field: 'orders', param: 'query' }],
    query: 'zap the orders',
  };
  const past = {
    id: 'm',
    query: 'zap a user',
    gold: [['find_user'], ['zap']],
    order: ['find_user', 'zap'],
    edges: [{ s: 'find_user', t: 'zap', field: 'name', param: 'x' }],
  };
  const askFlow = (asked: object, memory: readonly object[]) =>
    ask<object>('flow', { tools, memory, questions: [asked] });

  test('bench flow uses the tools and the memory, and no expected answers [BENCH-NO-LEAK]', async () => {
    const found = { id: 'q', edges: [['find_user', 'list_orders']] };

    expect(await askFlow(question, [])).toEqual([found]);
    expect(await askFlow({ ...question, ...answers }, [])).toEqual([found]);
    expect(await askFlow({ ...question, ...answers }, [past])).toEqual([
      { id: 'q', edges: expect.arrayContaining([['find_user', 'zap'], ...found.edges]) },
    ]);
  }, 90_000);
});

describe('answering which call comes next', () => {
  const tools = [
    { id: 'mail:list', name: 'list', server: 'mail', description: 'Lists messages' },
    { id: 'mail:read', name: 'read', server: 'mail', description: 'Reads a message' },
  ];
  const run = (at: number, read = 3) => ({
    id: `run${at}`,
    group: `task${at}`,
    query: `read my mail of day ${at}`,
    context: '',
    closing: true,
    calls: [
      { tool: 'mail:list', args: {}, ok: true, turn: 0, result: listing(at) },
      ...Array.from({ length: read }, (_, turn) => ({
        tool: 'mail:read',
        args: { id: `${at}-${turn}` },
        ok: true,
        turn: turn + 1,
        result: 'Hello',
      })),
    ],
  });
  const listing = (at: number) => JSON.stringify([0, 1, 2].map((one) => ({ id: `${at}-${one}` })));
  const calls = Array.from({ length: 8 }, (_, at) => run(at));

  test('bench speculation uses recorded runs and the question, and no expected answers [BENCH-NO-LEAK]', async () => {
    const { closing: _, ...question } = run(20, 2);
    const leaking = { ...question, closing: false, next: [{ tool: 'mail:list', args: {} }] };

    const [known] = await ask<Proposed>('speculate', {
      tools,
      memory: [],
      calls,
      questions: [leaking],
    });
    const [blind] = await ask<Proposed>('speculate', {
      tools,
      memory: [],
      calls,
      questions: [question],
    });

    expect(blind).toEqual(known);
    expect(blind?.proposals[0]).toMatchObject({ tool: 'mail:read', args: { id: '20-2' } });
  }, 90_000);
});

interface Proposed {
  readonly id: string;
  readonly proposals: readonly { readonly tool: string; readonly confidence: number }[];
}
