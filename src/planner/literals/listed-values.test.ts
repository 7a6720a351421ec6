import { expect, test } from 'vitest';

import { listedValues } from './listed-values.js';

const textsOf = (request: string) => listedValues(request)?.values.map(({ text }) => text);
const eachOf = (request: string) => {
  const list = listedValues(request);
  return list?.values.map((value) => list.onlyFor(value));
};

test.each([
  ['compare the weather in Oslo and Rome', ['Oslo', 'Rome']],
  ['the weather in Oslo, Rome and Porto, please', ['Oslo', 'Rome', 'Porto']],
  ['what is the weather in Dublin and in Vienna?', ['Dublin', 'Vienna']],
  ['read /tmp/a.txt and /tmp/b.txt', ['/tmp/a.txt', '/tmp/b.txt']],
])('%s: lists %j', (request, values) => {
  expect(textsOf(request)).toEqual(values);
});

test.each([
  'fly from Oslo to Rome',
  'the weather in Oslo and hotels in Rome',
  'send Ann Lee the weather in Oslo',
  'the weather in Oslo and Oslo',
])('%s: lists nothing', (request) => {
  expect(textsOf(request)).toBeUndefined();
});

test('a request can be read as if it named one of the values alone', () => {
  expect(eachOf('compare the weather in Oslo and in Rome today')).toEqual([
    'compare the weather in Oslo today',
    'compare the weather in Rome today',
  ]);
});
