import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { nextQuality } from './judge-models.js';

const tools = ['a:one', 'a:two', 'a:six'].map(id);

test('quality of a next step is the reciprocal place of the right tool', () => {
  const isRight = [false, true, false];

  expect(nextQuality({ tools, isRight }, [0, 2, 1])).toBe(1);
  expect(nextQuality({ tools, isRight }, [3, 2, 1])).toBe(1 / 2);
  expect(nextQuality({ tools, isRight }, [3, 1, 2])).toBe(1 / 3);
});

// covers: GATE-CONTROL
test('equal scores come in the order of predictions, so weights gain nothing from ties', () => {
  // By name: one, six, two.
  expect(nextQuality({ tools, isRight: [false, true, false] }, [0, 0, 0])).toBe(1 / 3);
  expect(nextQuality({ tools, isRight: [true, false, false] }, [0, 0, 0])).toBe(1);
});
