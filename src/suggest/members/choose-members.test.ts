import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { logOdds } from '../../learning/odds.js';
import { chooseMembers, MOST_MEMBERS } from './choose-members.js';

const ASIS = Float64Array.of(1);
const candidate = (tool: string, probability: number) => {
  return { tool: id(tool), signals: Float64Array.of(logOdds(probability)) };
};

test('chooseMembers takes likely tools, likeliest first, and lists the next likely as others', () => {
  const chosen = chooseMembers(
    [candidate('a:rare', 0.05), candidate('a:one', 0.8), candidate('a:two', 0.9)],
    ASIS,
  );

  expect(chosen.members.map(({ tool }) => tool)).toEqual(['a:two', 'a:one']);
  expect(chosen.others.map(({ tool }) => tool)).toEqual(['a:rare']);
  // 2 × 1.7 of 2 + 1.75.
  expect(chosen.expected).toBeCloseTo(3.4 / 3.75, 12);
});

test('chooseMembers limits the size of a plan, however many tools are likely', () => {
  const many = Array.from({ length: 40 }, (_, place) => candidate(`a:t${place}`, 0.9));

  expect(chooseMembers(many, ASIS).members).toHaveLength(MOST_MEMBERS);
});

test('chooseMembers returns no plan without candidates', () => {
  expect(chooseMembers([], ASIS)).toEqual({ members: [], others: [], expected: 0 });
});
