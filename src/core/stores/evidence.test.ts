import { expect, test } from 'vitest';

import { evidenceWeight, originOf } from './evidence.js';

const LIVE = { source: 'live', hasOrigins: true } as const;

test('the weight of a value depends on whether a user or agent gave, approved or saw it', () => {
  expect(evidenceWeight(undefined, LIVE)).toBe(1);
  expect(evidenceWeight({ source: 'given' }, LIVE)).toBe(1);
  expect(evidenceWeight({ source: 'inferred', confirmed: 'approved' }, LIVE)).toBe(1);
  expect(evidenceWeight({ source: 'literal', confirmed: 'seen' }, LIVE)).toBe(0.5);
  expect(evidenceWeight({ source: 'lifted default' }, LIVE)).toBe(0);
});

test('a live execution without recorded origins counts half, an imported one in full', () => {
  expect(evidenceWeight(undefined, { source: 'live' })).toBe(0.5);
  expect(evidenceWeight(undefined, { source: 'import' })).toBe(1);
});

test('the weakest origin of a parameter and its parts decides', () => {
  const origins = {
    options: { source: 'past', confirmed: 'approved' },
    'options.unit': { source: 'default' },
    option: { source: 'literal' },
  } as const;

  expect(originOf(origins, 'options')).toEqual({ source: 'default' });
  expect(originOf(origins, 'options.size')).toEqual({ source: 'past', confirmed: 'approved' });
  expect(originOf(origins, 'opt')).toBeUndefined();
  expect(originOf(undefined, 'options')).toBeUndefined();
});
