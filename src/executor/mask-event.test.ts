import { expect, test } from 'vitest';

import { idleRun } from '../../test/helpers/begin-run.js';
import { text } from '../../test/helpers/fake-tools.js';
import { task } from '../../test/helpers/run-parts.js';
import { maskForms, PmlError } from '../core/index.js';

test('a run hides secrets in its errors and keeps arguments and results as they are', async () => {
  const answers = {
    bad: new PmlError('SERVER_ERROR', 'refused password=hunter22'),
    good: text('password=hunter22'),
  };
  const args = { note: 'password=hunter22' };

  const { live, log } = await idleRun([task('bad'), task('good', [], { args })], {
    answers,
    mask: maskForms,
  });

  const [bad, good] = live.state.tasks;
  expect(bad).toMatchObject({ error: { message: 'refused password=***' } });
  expect(good).toMatchObject({ task: { args }, result: answers.good });
  expect(log.writes.flat().at(-1)).toMatchObject({ type: 'run-finished' });
});
