import { expect, test } from 'vitest';

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
