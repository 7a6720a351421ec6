import { expect, test } from 'vitest';

import { wantedLiterals } from './wanted-literals.js';

const textsOf = (request: string) => wantedLiterals(request).map(({ text }) => text);

test.each([
  ['do not write to x.txt, just read y.txt', ['y.txt']],
  ['read y.txt, but do not change x.txt', ['y.txt']],
  ['read y.txt without changing x.txt', ['y.txt']],
  ["don't write to x.txt and read y.txt", ['y.txt']],
  ['do not delete x.txt, z.txt or w.txt. Show y.txt', ['y.txt']],
  ['read x.txt and never write to x.txt', ['x.txt']],
  ['Do not send the draft to ann@example.com. Send it to bob@example.com', ['bob@example.com']],
])('a value of a refused change is not wanted: %s', (request, wanted) => {
  expect(textsOf(request)).toEqual(wanted);
});

test.each([
  ["don't forget to write the result to x.txt", ['x.txt']],
  ['list files that do not contain the text "TODO"', ['TODO']],
  ['find issues without the label "bug"', ['bug']],
  ['write "do not delete a.txt" to x.txt', ['do not delete a.txt', 'x.txt']],
  ['write to x.txt, do not ask', ['x.txt']],
])('a value that only stands beside a refusing word is wanted: %s', (request, wanted) => {
  expect(textsOf(request)).toEqual(wanted);
});

test('literals of a request are the same after many others, and depend on the day', () => {
  const request = 'remind Ann tomorrow about "the report"';
  const first = wantedLiterals(request, { today: '2026-03-14' });
  for (let place = 0; place < 200; place++) wantedLiterals(`read "note ${place}"`);

  expect(wantedLiterals(request, { today: '2026-03-14' })).toEqual(first);
  expect(wantedLiterals(request, { today: '2026-03-15' })).not.toEqual(first);
  expect(wantedLiterals(request, { today: '2026-03-14', most: 1 })).toHaveLength(1);
});
