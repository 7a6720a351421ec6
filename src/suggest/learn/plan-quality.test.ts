import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { planQuality } from './plan-quality.js';

const tools = (...names: readonly string[]) => names.map((name) => id(`a:${name}`));

test('planQuality is 1 for exactly the wanted tools, in any order', () => {
  expect(planQuality(tools('one', 'two'), tools('two', 'one'))).toBe(1);
});

test('planQuality is half of F1 for a plan that is nearly right', () => {
  expect(planQuality(tools('one', 'two'), tools('one'))).toBeCloseTo(1 / 3, 12);
  expect(planQuality(tools('one'), tools('one', 'two'))).toBeCloseTo(1 / 3, 12);
});

test('planQuality is 0 for a plan without any wanted tool', () => {
  expect(planQuality(tools('one'), tools('two'))).toBe(0);
});
