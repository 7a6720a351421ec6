import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { pastMoments } from './past-moments.js';

test('past execution has one moment for each step, with the last of repeated calls', () => {
  const calls = [
    { tool: id('a:get'), ok: false, errorMessage: 'no page 1' },
    { tool: id('a:get'), ok: true, args: { page: 2 } },
    { tool: id('a:inner'), ok: true, parent: 1 },
    { tool: id('b:put'), ok: false, errorMessage: 'no event' },
  ];

  expect(pastMoments({ calls })).toEqual([
    { hasFailed: false, args: '{"page":2}' },
    { hasFailed: true, result: 'no event' },
  ]);
});
