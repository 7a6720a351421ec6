import { expect, test } from 'vitest';

import { idleRun } from '../../test/helpers/begin-run.js';
import { text } from '../../test/helpers/fake-tools.js';
import { task } from '../../test/helpers/run-parts.js';
import { maskForms, PmlError, taskId } from '../core/index.js';

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

test('a run hides secrets in what is said about it and in the reason of a rejection', async () => {
  const { live, log } = await idleRun([task('riskyA')], { mask: maskForms });
  const secret = 'password=hunter22';

  await live.say(secret, 'agent');
  await live.decide({ kind: 'reject', tasks: [taskId('riskyA')], because: secret }, 'human', {
    message: secret,
  });
  await live.idle();

  expect(live.state.messages).toMatchObject([
    { by: 'agent', text: 'password=***' },
    { by: 'human', text: 'password=***' },
  ]);
  expect(live.state.tasks[0]).toMatchObject({ because: 'rejected by the human: password=***' });
  expect(JSON.stringify(log.writes)).not.toContain('hunter22');
});
