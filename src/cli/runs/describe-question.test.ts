import { describe, expect, test } from 'vitest';

import { runDetails, taskInfo } from '../../../test/helpers/run-details.js';
import { choicesOf, describeChoices, describeRunQuestion } from './describe-question.js';

describe('a run that waits for approval', () => {
  const run = runDetails(
    [
      taskInfo('read'),
      taskInfo('rm', {
        tool: 'files:delete_file',
        status: 'needs_approval',
        because: 'its name says delete',
        args: '{"path":"/tmp/x\\n"}',
      }),
    ],
    { status: 'needs_approval' },
  );

  test('a run that waits for approval shows its calls with their arguments and the reason', () => {
    expect(describeRunQuestion(run)).toEqual([
      'task rm needs approval (its name says delete):',
      String.raw`  files:delete_file {"path":"/tmp/x\n"}`,
    ]);
  });

  test('a run that waits for approval shows commands to copy that name the same configuration', () => {
    const commands = describeChoices(run, { config: "my pml's.json", dataDir: '/data' });

    expect(commands.map((line) => line.split(/ +# /)[0])).toEqual([
      String.raw`pml continue run_abcdefghijkl approve --task rm --config 'my pml'\''s.json' --data-dir /data`,
      String.raw`pml continue run_abcdefghijkl reject --task rm --config 'my pml'\''s.json' --data-dir /data`,
      String.raw`pml continue run_abcdefghijkl abort --config 'my pml'\''s.json' --data-dir /data`,
    ]);
  });
});

test('a doubtful call is decided before anything else, by calling again or not', () => {
  const run = runDetails(
    [
      taskInfo('pay', { status: 'in_doubt', because: 'killed' }),
      taskInfo('b', { status: 'needs_approval' }),
    ],
    { status: 'needs_decision' },
  );

  expect(choicesOf(run).map(({ decision, tasks }) => [decision, ...tasks])).toEqual([
    ['retry', 'pay'],
    ['skip', 'pay'],
    ['abort'],
  ]);
  expect(describeRunQuestion(run)[0]).toBe(
    'task pay may or may not have been carried out (killed):',
  );
});

test('a run with a failed layer offers to go back or on', () => {
  const run = runDetails(
    [
      taskInfo('a', { status: 'failed', error: { code: 'TOOL_FAILED', message: 'no' } }),
      taskInfo('b', { status: 'needs_approval', layer: 1 }),
    ],
    { status: 'needs_decision' },
  );

  expect(choicesOf(run).map(({ decision, tasks }) => [decision, ...tasks])).toEqual([
    ['retry', 'a'],
    ['approve', 'b'],
    ['abort'],
  ]);
});

test('a run without a question offers no answers', () => {
  expect(choicesOf(runDetails([taskInfo('a')]))).toEqual([]);
});
