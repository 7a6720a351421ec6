/**
 * Values that PML fills in, over servers that write: PML shows a guess, asks before it reaches a
 * writing tool, learns nothing from it alone, and guesses the same with or without the model.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GuessAgent, type GuessPlan } from '../helpers/guess-servers.js';

const CONFIG = { name: 'web', port: 8080 };
const FILES = {
  'config.json': JSON.stringify(CONFIG),
  'people.csv': 'name,city\nAnn,Lisbon\n',
  'order.json': JSON.stringify({ order: 17, total: 42 }),
};
/** With its likelihood and, once the agent or user agreed, how they agreed. */
const LINE = /^c\.data ← b\.parsed \((0\.\d\d)(?:, \w+)?\)$/;

/** In the order in which the agent wrote them: the task that lacks its value comes first. */
const recordTasks = (path: string) => [
  { id: 'c', tool: 'github:create' },
  { id: 'b', tool: 'json:parse', args: { jsonString: '${a.content}' } },
  { id: 'a', tool: 'filesystem:read_text_file', args: { path } },
];
const readingTasks = (path: string) => [
  { id: 'a', tool: 'filesystem:read_text_file', args: { path } },
  { id: 'b', tool: 'json:parse', args: { jsonString: '${a.content}' } },
  { id: 'c', tool: 'json:stringify' },
];
/** How likely PML says it is that `c` takes what `b` gives. */
const scoreOf = ({ filled = [] }: GuessPlan) => {
  const line = filled.map((one) => LINE.exec(one)).find((found) => found !== null);
  if (!line) throw new Error(`no line for c.data in ${JSON.stringify(filled)}`);
  return Number(line[1]);
};

describe('a parameter that the agent left open', () => {
  let agent: GuessAgent;
  const records = () => agent.calls.filter(({ tool }) => tool === 'github:create');

  beforeAll(async () => {
    agent = await GuessAgent.connect({ servers: ['github', 'json', 'filesystem'], files: FILES });
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test('open parameter takes the object that fits, and a dry run shows it in one line', async () => {
    const tasks = recordTasks(agent.file('config.json'));

    const { text, value } = await agent.call('pml_execute_workflow', { tasks, mode: 'dry_run' });

    const plan = value as unknown as GuessPlan;
    expect(plan.tasks.find(({ id }) => id === 'c')?.args).toEqual({ data: { $ref: 'b.parsed' } });
    expect(text).toMatch(/c\.data ← b\.parsed \(0\.\d\d/);
  });

  test('open parameter of a writing tool needs approval with its value before anything is written', async () => {
    const asked = await agent.run({ tasks: recordTasks(agent.file('config.json')) });

    expect(asked.status).toBe('needs_approval');
    expect(asked.asks).toMatchObject([
      { task: 'c', tool: 'github:create', args: { data: CONFIG } },
    ]);
    expect(asked.asks?.[0]?.why).toMatch(/guess|filled/i);
    expect(asked.filled).toContainEqual(expect.stringMatching(LINE));
    expect(records()).toEqual([]);

    const done = await agent.decide(asked.run, 'approve');

    expect(done.status).toBe('completed');
    expect(done.filled).toContainEqual(expect.stringMatching(LINE));
    expect(records()).toEqual([{ tool: 'github:create', args: { data: CONFIG } }]);
    const shown = await agent.workspace.run('show', asked.run);
    expect(shown.stdout).toMatch(/c\.data ← b\.parsed \(0\.\d\d/);
  });

  test('open parameter of a reading tool is filled, and the answer of the run says so', async () => {
    const done = await agent.run({ tasks: readingTasks(agent.file('config.json')) });

    expect(done.status).toBe('completed');
    expect(done.filled).toContainEqual(expect.stringMatching(LINE));
    expect(done.tasks?.['c']?.result).toEqual({ text: JSON.stringify(CONFIG, undefined, 2) });
  });

  test('answer of a run names no filled parameter when the agent gave every value', async () => {
    const [read, parse] = readingTasks(agent.file('order.json'));
    const written = { id: 'c', tool: 'json:stringify', args: { data: '${b.parsed}' } };

    const done = await agent.run({ tasks: [read, parse, written] });

    expect(done.status).toBe('completed');
    expect(done.filled ?? []).toEqual([]);
  });
});

describe('guesses that no person and no agent confirmed', () => {
  let agent: GuessAgent;
  const planOf = (tasks: unknown) => agent.plan({ tasks, mode: 'dry_run' });

  beforeAll(async () => {
    agent = await GuessAgent.connect({ servers: ['github', 'json', 'filesystem'], files: FILES });
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test('unconfirmed guesses gain no score when two runs of reading tools used them', async () => {
    const tasks = readingTasks(agent.file('config.json'));
    const before = scoreOf(await planOf(tasks));

    for (const name of ['config.json', 'order.json']) {
      const intent = `read ${name} and print it with indents`;
      const done = await agent.run({ intent, tasks: readingTasks(agent.file(name)) });
      expect(done.status).toBe('completed');
    }
    await agent.remembered(2);

    expect(scoreOf(await planOf(tasks))).toBeLessThanOrEqual(before);
  });

  test('guesses gain no score when the agent rejected them twice', async () => {
    const tasks = recordTasks(agent.file('config.json'));
    const before = scoreOf(await planOf(tasks));

    for (const name of ['config.json', 'order.json']) {
      const asked = await agent.run({ tasks: recordTasks(agent.file(name)) });
      expect(asked.status).toBe('needs_approval');
      const ended = await agent.decide(asked.run, 'reject');
      expect(ended.status).toBe('rejected');
    }

    expect(scoreOf(await planOf(tasks))).toBeLessThanOrEqual(before);
    expect(agent.writes).toEqual([]);
  });
});

test('plan is the same before and after the model is loaded, or names the model beside its hole', async () => {
  await using agent = await GuessAgent.connect({
    servers: ['github', 'json', 'filesystem'],
    files: FILES,
    config: { embedding: 'gte-small' },
  });
  const dry = { tasks: recordTasks(agent.file('config.json')), mode: 'dry_run' };

  const early = await agent.plan(dry);
  await agent.modelLoaded();
  const late = await agent.plan(dry);

  const isOpen = early.holes?.some(({ task }) => task === 'c');
  expect(late.tasks.find(({ id }) => id === 'c')?.args).toEqual({ data: { $ref: 'b.parsed' } });
  expect(isOpen ? 'a hole' : early.tasks).toEqual(isOpen ? 'a hole' : late.tasks);
  expect(isOpen ? JSON.stringify(early) : 'the model').toContain('model');
});
