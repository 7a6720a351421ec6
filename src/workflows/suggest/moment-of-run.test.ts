import { expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { text } from '../../../test/helpers/fake-tools.js';
import { id } from '../../../test/helpers/graph-samples.js';
import { task } from '../../../test/helpers/run-parts.js';
import { NO_TRAIL, type Shown } from '../../discovery/index.js';
import { momentOfRun } from './moment-of-run.js';

const shown = (algorithm: Shown['algorithm'], tool: string): Shown => ({
  id: 'd1',
  algorithm,
  model: 'm1',
  intent: 'x',
  at: new Date(0),
  tools: [id(tool)],
});

test('moment of a run has the last result, its arguments, and what searches listed', async () => {
  const answers = { read_file: text('{"content":"a,b"}') };
  const { live } = await idleRun([task('read', [], { tool: 'read_file', args: { path: 'x' } })], {
    answers,
  });
  const trail = {
    ...NO_TRAIL,
    shown: [shown('discover', 'a:one'), shown('suggest', 'a:two')],
  };

  const moment = momentOfRun(live.state, trail);

  expect(moment).toMatchObject({ hasFailed: false, args: '{"path":"x"}', offered: [['a:one']] });
  expect(moment.result).toContain('content');
});

test('moment of a run that has done nothing has only what searches listed', async () => {
  const { live } = await idleRun([]);

  expect(momentOfRun(live.state, NO_TRAIL)).toEqual({ offered: [] });
});
