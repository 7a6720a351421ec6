import { expect, test } from 'vitest';

import type { JsonValue } from '../../core/index.js';
import { stepsOf } from './steps-of.js';

test.each<[JsonValue]>([[null], [{}], [{ nodes: 'many' }]])(
  'a stored structure of an unknown form (%j) has no steps',
  (structure) => {
    expect(stepsOf({ current: { structure } })).toEqual([]);
  },
);
