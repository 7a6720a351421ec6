import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { StepCounts } from './step-counts.js';

const steps = (text: string) => text.split(' ').map((name) => id(`a:${name}`));

function counted(...runs: readonly string[]): StepCounts {
  const counts = new StepCounts();
  for (const run of runs) counts.add(steps(run));
  return counts;
}

test('a tool that followed the same two steps is likelier than a tool that followed only the last step', () => {
  const chance = counted('open read close', 'open read close', 'find read send').chancesAfter(
    steps('open read'),
  );

  expect(chance(id('a:close'))).toBeGreaterThan(0.7);
  expect(chance(id('a:send'))).toBeGreaterThan(chance(id('a:find')));
});

test('the probabilities of all tools add up to 1', () => {
  const chance = counted('open read close', 'find read send open').chancesAfter(steps('find read'));

  const sum = steps('open read close find send').reduce((all, tool) => all + chance(tool), 0);
  expect(sum).toBeLessThanOrEqual(1);
  expect(sum).toBeGreaterThan(0.8);
});

test('step counts fall back to the overall frequencies after unknown steps', () => {
  const chance = counted('read close', 'read close').chancesAfter(steps('new'));

  expect(chance(id('a:close'))).toBe(chance(id('a:read')));
  expect(chance(id('a:other'))).toBe(0);
});

test('removing a run removes all its counts', () => {
  const counts = counted('open read close');
  counts.add(steps('open read close'), -1);

  expect(counts.chancesAfter(steps('open read'))(id('a:close'))).toBe(0);
});
