import { expect, test } from 'vitest';

import { describeScarcity } from './run-daemon.js';

test('a daemon with little address space says beforehand what may end it', () => {
  expect(describeScarcity(12_288_000_000)).toMatch(/limited to 11719 MB \(ulimit -v\)/);
});

test('a daemon with all the address space there is says nothing', () => {
  expect(describeScarcity(Infinity)).toBeUndefined();
  expect(describeScarcity(undefined)).toBeUndefined();
});
