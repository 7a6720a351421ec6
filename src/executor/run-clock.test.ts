import { expect, test } from 'vitest';

import { runId } from '../core/index.js';
import { RunClock } from './run-clock.js';

test('the clock of a run never goes back, nor behind what was recorded or reached', () => {
  let machine = 50;
  const clock = new RunClock(() => machine, [{ type: 'message-added', at: 100, text: '' }]);

  const shown = [clock.now()];
  for (const ms of [120, 90, 130]) {
    machine = ms;
    shown.push(clock.now());
  }
  clock.reach(200);
  shown.push(clock.now());
  clock.reach(150);
  shown.push(clock.now());

  expect(shown).toEqual([100, 120, 120, 130, 200, 200]);
});

const started = {
  type: 'run-started',
  run: runId('run_1'),
  at: 1_000,
  tasks: [],
  approve: 'risky',
  context: {},
} as const;

test('a run takes as long as it takes, whatever the clock of the machine is set to', () => {
  let machine = 1_000;
  let ticks = 50;
  const clock = new RunClock(
    () => machine,
    [started],
    () => ticks,
  );

  const took = [1_000_000_000, -1_000_000_000].map((jump) => {
    machine += jump;
    ticks += 20;
    return clock.elapsedMs();
  });

  expect(took).toEqual([20, 40]);
});

test('a resumed run counts the time since it began, and never less than none', () => {
  const past = [started, { type: 'message-added', at: 1_500, text: '' }] as const;
  const resumed = new RunClock(
    () => 5_000,
    past,
    () => 7,
  );
  const afterJumpBack = new RunClock(
    () => 10,
    past,
    () => 7,
  );

  expect(resumed.elapsedMs()).toBe(4_000);
  expect(afterJumpBack.elapsedMs()).toBe(500);
});
