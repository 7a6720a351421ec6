import { expect, test } from 'vitest';

import type { JsonValue } from '../../core/index.js';
import { withOtherExamples } from './other-examples.js';

const learnedWith = (city: JsonValue, limit = 3) => ({
  type: 'object',
  properties: {
    city: { type: 'string', default: city },
    limit: { type: 'integer', default: limit },
    text: {},
  },
});

test('another proof adds the values that differ, and the default stays', () => {
  const known = withOtherExamples(learnedWith('Lisbon'), learnedWith('Porto'));

  expect(known['properties']).toEqual({
    city: { type: 'string', default: 'Lisbon', examples: ['Lisbon', 'Porto'] },
    limit: { type: 'integer', default: 3 },
    text: {},
  });
});

test('the same values change nothing, and only the first few are kept', () => {
  const first = learnedWith('Lisbon');

  expect(withOtherExamples(first, learnedWith('Lisbon'))).toBe(first);
  const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].reduce(
    (so, city) => withOtherExamples(so, learnedWith(city)),
    first as ReturnType<typeof withOtherExamples>,
  );
  expect(many['properties']).toMatchObject({ city: { examples: ['Lisbon', 'A', 'B', 'C', 'D'] } });
});
