import { expect, test } from 'vitest';

import type { JsonObject } from '../../core/index.js';
import { withExamples } from './lifted-examples.js';

const SAID = 'note the weather of lisbon for 5 days\nread the weather of porto';

function seen(name: string, field: JsonObject, successes = 1): JsonObject {
  const schema = { type: 'object', properties: { [name]: field } };
  const { properties, required } = withExamples(schema, { said: SAID, successes });
  expect(required).toEqual([name]);
  return (properties as Record<string, JsonObject>)[name]!;
}

test.each<[name: string, value: JsonObject['default']]>([
  ['city', 'Lisbon'],
  ['city', 'Madrid'],
  ['days', 5],
  ['amount', 250],
  ['customer_id', 17],
  ['folder', 'inbox'],
  ['cities', ['Lisbon', 'Porto']],
  ['trip', { city: 'Madrid', limit: 3 }],
])('%s: %j is an example, and the request has to name its own value', (name, value) => {
  const field = seen(name, { type: 'string', default: value! });

  expect(field).toEqual({ type: 'string', examples: [value] });
});

test.each<[name: string, field: JsonObject, successes: number]>([
  ['limit', { type: 'integer', default: 10 }, 1],
  ['maxCount', { type: 'integer', default: 10 }, 1],
  ['recursive', { type: 'boolean', default: true }, 1],
  ['unit', { type: 'string', enum: ['metric', 'imperial'], default: 'metric' }, 1],
  ['sort', { type: 'string', default: 'price' }, 3],
])('%s stays a guess as long as no use changed it', (name, field, successes) => {
  expect(seen(name, field, successes)).toEqual(field);
});

test('a setting that a request named, or that differed between uses, is an example', () => {
  const varied = { type: 'integer', default: 10, examples: [10, 20] };

  expect(seen('limit', varied, 9)).toEqual({ type: 'integer', examples: [10, 20] });
  expect(seen('limit', { type: 'integer', default: 5 }, 9)).toEqual({
    type: 'integer',
    examples: [5],
  });
  expect(seen('sort', { type: 'string', default: 'weather' }, 9)).not.toHaveProperty('default');
});
