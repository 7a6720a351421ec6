import { describe, expect, test } from 'vitest';

import { newRun } from '../../../test/helpers/begin-run.js';
import { task } from '../../../test/helpers/run-parts.js';
import { type RunCommand, taskId } from '../../core/index.js';
import { refuseAgent, type UserFirst } from './user-first.js';

const NONE: UserFirst = {
  configured: 'never',
  isUserAsked: false,
  needsPerson: () => false,
  canStillAsk: () => false,
};
const wipe = [taskId('wipe')];
const ABOUT_WIPE: readonly RunCommand[] = [
  { kind: 'approve', tasks: wipe },
  { kind: 'reject', tasks: wipe },
  { kind: 'retry', tasks: wipe },
  { kind: 'skip', tasks: wipe },
];
const ADDING: readonly RunCommand[] = [
  { kind: 'inject', tasks: [task('more')] },
  { kind: 'replan', requirement: 'more', tasks: [task('more')] },
];

async function paused() {
  const { live } = newRun([
    task('wipe', [], { tool: 'riskyA' }),
    task('own', [], { tool: 'riskyB' }),
  ]);
  live.start();
  await live.idle();
  return live.state;
}

describe('an agent', () => {
  test.each([...ABOUT_WIPE, ...ADDING])(
    'an agent may $kind if no user is asked',
    async (command) => {
      expect(refuseAgent(await paused(), { command }, NONE)).toBeUndefined();
    },
  );

  test.each([...ABOUT_WIPE, ...ADDING])(
    'an agent may not $kind while the user is asked',
    async (command) => {
      const refusal = refuseAgent(await paused(), { command }, { ...NONE, isUserAsked: true });

      expect(refusal).toMatch(/user is being asked.*"wait".*"abort"/);
    },
  );

  test.each([...ABOUT_WIPE, ...ADDING])(
    'an agent may not $kind a call that needs a person',
    async (command) => {
      const needsPerson: UserFirst['needsPerson'] = (one) => one.task.id === wipe[0];

      const refusal = refuseAgent(await paused(), { command }, { ...NONE, needsPerson });

      expect(refusal).toMatch(/`wipe` \(fake:riskyA\).*pml continue \S+ approve --task wipe/);
    },
  );

  test('an agent may decide about another task than the one that needs a person', async () => {
    const needsPerson: UserFirst['needsPerson'] = (one) => one.task.id === wipe[0];
    const command = { kind: 'approve', tasks: [taskId('own')] } as const;

    expect(refuseAgent(await paused(), { command }, { ...NONE, needsPerson })).toBeUndefined();
  });

  test('an agent may not change the context that a call which needs a person takes values from', async () => {
    const needsPerson: UserFirst['needsPerson'] = (one) => one.task.id === wipe[0];
    const command = { kind: 'approve', tasks: [taskId('own')] } as const;
    const rules = { ...NONE, needsPerson };

    expect(refuseAgent(await paused(), { command, changesContext: true }, rules)).toContain(
      '`wipe`',
    );
  });

  test('an agent may reject a call but not approve it before its client asked the user', async () => {
    const state = await paused();
    const rules = { ...NONE, canStillAsk: () => true };

    expect(refuseAgent(state, { command: { kind: 'approve', tasks: wipe } }, rules)).toContain(
      '"wait"',
    );
    expect(refuseAgent(state, { command: { kind: 'reject', tasks: wipe } }, rules)).toBeUndefined();
  });

  test.each(ADDING)(
    'an agent may not $kind in a run with looser approval than configured',
    async (command) => {
      const rules = { ...NONE, configured: 'risky' } as const;
      const loose = { ...(await paused()), approve: 'never' } as const;

      expect(refuseAgent(loose, { command }, rules)).toMatch(
        /approve "never".*"risky".*pml_execute_workflow/,
      );
    },
  );

  test('an agent may not pass its own arguments into a run with looser approval than configured', async () => {
    const rules = { ...NONE, configured: 'risky' } as const;
    const loose = { ...(await paused()), approve: 'never' } as const;
    const retry = { kind: 'retry', tasks: wipe } as const;
    const skip = { kind: 'skip', tasks: wipe } as const;

    expect(refuseAgent(loose, { command: retry, changesContext: true }, rules)).toContain('never');
    expect(refuseAgent(loose, { command: { ...skip, result: 1 } }, rules)).toContain('never');
    expect(refuseAgent(loose, { command: retry }, rules)).toBeUndefined();
    expect(refuseAgent(loose, { command: skip }, rules)).toBeUndefined();
  });

  test.each(ADDING)(
    'an agent may $kind in a run with equal or stricter approval',
    async (command) => {
      const state = await paused();
      const often = { ...state, approve: 'per_layer' } as const;

      expect(refuseAgent(state, { command }, { ...NONE, configured: 'risky' })).toBeUndefined();
      expect(refuseAgent(often, { command }, { ...NONE, configured: 'risky' })).toBeUndefined();
    },
  );

  test('an agent may always abort a run', async () => {
    const strict = {
      ...NONE,
      isUserAsked: true,
      needsPerson: () => true,
      canStillAsk: () => true,
    };

    expect(refuseAgent(await paused(), { command: { kind: 'abort' } }, strict)).toBeUndefined();
  });
});
