import { describe, expect, test } from 'vitest';

import { keptResults } from '../../test/helpers/kept-results.js';
import { serverName, type Task, taskId, toolId } from '../core/index.js';
import { takeIntoArgs, takeResults } from './take-results.js';

const rows = Array.from({ length: 50 }, (_, id) => ({ id, name: `row ${id}`, note: '${a.x}' }));

function setUp() {
  const kept = keptResults();
  const json = kept.keep({ text: JSON.stringify({ rows }), mimeType: 'application/json' });
  const text = kept.keep({ text: 'plain words', mimeType: 'text/plain' });
  return { kept, json, text };
}

const aTask = (args: Task['args']): Task => ({
  id: taskId('a'),
  tool: toolId(serverName('fake'), 'read_a'),
  args,
  needs: [],
});

describe('in arguments of tasks', () => {
  test('a task gets the results its arguments name, whole or by path', async () => {
    const { kept, json, text } = setUp();
    const args = { all: { $result: text }, some: [{ $result: json, path: 'rows[0:2].name' }] };

    const { tasks, problems } = await takeResults([aTask(args), aTask({})], kept);

    expect(problems).toEqual([]);
    expect(tasks).toEqual([
      {
        ...aTask(args),
        results: { [`${text} `]: 'plain words', [`${json} rows[0:2].name`]: ['row 0', 'row 1'] },
      },
      aTask({}),
    ]);
  });

  test('takeResults reports every problem with its place', async () => {
    const { kept, json, text } = setUp();
    const args = {
      gone: { $result: 'r_nobody' },
      odd: [{ $result: json, offset: 3 }],
      none: { $result: json, path: 'row[0]' },
      flat: { $result: text, path: 'a' },
    };

    const { problems } = await takeResults([aTask(args)], kept);

    expect(problems).toEqual([
      { code: 'RESULT_NOT_FOUND', text: expect.stringContaining('task a: args.gone: No result') },
      { code: 'REFERENCE_INVALID', text: expect.stringContaining('args.odd[0]: ') },
      { code: 'BAD_REQUEST', text: expect.stringContaining('there is keys rows') },
      { code: 'REFERENCE_INVALID', text: expect.stringContaining('plain text') },
    ]);
  });

  test('a result used as all arguments of a task must be an object', async () => {
    const { kept, json, text } = setUp();

    expect((await takeResults([aTask({ $result: json })], kept)).problems).toEqual([]);
    expect((await takeResults([aTask({ $result: text })], kept)).problems).toMatchObject([
      { code: 'ARGUMENTS_INVALID' },
    ]);
  });

  test('takeResults refuses more data than a request may hold, even for one repeated result', async () => {
    const kept = keptResults();
    const handle = kept.keep({ text: 'x'.repeat(6_000_000), mimeType: 'text/plain' });
    const tasks = [1, 2, 3].map(() => aTask({ text: { $result: handle } }));

    const { problems } = await takeResults(tasks, kept);

    expect(problems).toMatchObject([
      { text: expect.stringMatching(/with "path", or use await load/) },
    ]);
  });
});

describe('in arguments of a script', () => {
  test('a script argument that names a result is replaced by its data', async () => {
    const { kept, json } = setUp();
    const args = { first: { $result: json, path: 'rows[0]' }, n: 1 };

    expect(await takeIntoArgs(args, kept)).toEqual({ first: rows[0], n: 1 });
    expect(await takeIntoArgs({ $result: json }, kept)).toEqual({ rows });
  });

  test('a script argument that names a missing result fails before anything runs', async () => {
    const { kept } = setUp();

    await expect(takeIntoArgs([{ $result: 'r_nobody' }], kept)).rejects.toMatchObject({
      code: 'RESULT_NOT_FOUND',
      message: expect.stringContaining('args[0]: No result r_nobody'),
    });
  });
});
