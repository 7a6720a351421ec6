import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function answer(questions: readonly object[], memory: readonly object[]) {
  const write = async (name: string, rows: readonly object[]) => {
    const path = join(folder, name);
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return path;
  };
  const out = join(folder, 'out.jsonl');
  const args = [
    'answer',
    'discover',
    '--out',
    out,
    '--data',
    join(folder, 'vectors'),
    '--tools',
    await write('tools.jsonl', TOOLS),
    '--memory',
    await write('memory.jsonl', memory),
    '--questions',
    await write('questions.jsonl', questions),
  ];
  const command = ['--import', 'tsx', 'bench/run.ts', ...args];
  await promisify(execFile)(process.execPath, command, { cwd: ROOT });
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as { id: string; ranked: string[] });
}

describe('answering the questions of a data set', () => {
  test('uses the questions and the memory, and nothing of what is asked for [BENCH-NO-LEAK]', async () => {
    const known = await answer(QUESTIONS, MEMORY);
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

  test('finds by memory what neither words nor meaning tell', async () => {
    const [, forgotten] = await answer(QUESTIONS, []);

    expect(forgotten?.ranked[0]).not.toBe('t1');
  }, 90_000);
});
