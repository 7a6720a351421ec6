import fc from 'fast-check';
import { expect, test } from 'vitest';

import { WordMemory } from './word-memory.js';

/** Requests are numbered in the order in which they are added. */
function memoryOf(...texts: readonly string[]): WordMemory {
  const memory = new WordMemory();
  texts.forEach((text, place) => memory.add(place, text));
  return memory;
}

test('rare words raise the overlap more than common ones', () => {
  const memory = memoryOf('send mail today', 'send mail tomorrow', 'plot chart', 'open file');

  const [common, , rare, unlike] = memory.overlaps('send chart');

  expect(rare).toBeGreaterThan(common!);
  expect(unlike).toBe(0);
});

test('a long request needs more shared words for the same overlap', () => {
  const [short, long] = memoryOf('plot chart', `plot chart ${wordsUpTo(40)}`).overlaps(
    'plot chart',
  );

  expect(short).toBeGreaterThan(long!);
});

test.each(['', '   ', '🦜', '\u0000\u0001', 'unheard'])('request %j overlaps nothing', (text) => {
  expect([...memoryOf('plot chart').overlaps(text)]).toEqual([0]);
  expect([...memoryOf().overlaps('plot chart')]).toEqual([]);
});

test('WordMemory keeps nothing of a removed request, and a second removal is harmless', () => {
  const memory = memoryOf('send mail', 'plot chart');

  memory.remove(1);
  memory.remove(1);

  expect([...memory.overlaps('plot chart')]).toEqual([0, 0]);
  expect(memory.overlaps('mail')[0]).toBe(memoryOf('send mail').overlaps('mail')[0]);
});

test('WordMemory keeps only the new words of a request added again', () => {
  const memory = memoryOf('plot chart');

  memory.add(0, 'send mail');

  expect([...memory.overlaps('plot chart')]).toEqual([0]);
  expect(memory.overlaps('mail')).toEqual(memoryOf('send mail').overlaps('mail'));
});

test('WordMemory counts excluded requests as if they had never been added', () => {
  const text = fc.array(fc.constantFrom('plot', 'chart', 'send', 'mail', 'file'), {
    minLength: 1,
    maxLength: 4,
  });
  const told = fc.array(fc.record({ text, isLeftOut: fc.boolean() }), { maxLength: 8 });
  fc.assert(
    fc.property(told, text, (requests, query) => {
      const all = memoryOf(...requests.map((one) => one.text.join(' ')));
      const places = requests.map((_, place) => place);
      const leftOut = places.filter((place) => requests[place]!.isLeftOut);
      const kept = new WordMemory();
      for (const place of places) {
        if (!leftOut.includes(place)) kept.add(place, requests[place]!.text.join(' '));
      }

      const overlaps = all.overlaps(query.join(' '), leftOut);

      const expected = kept.overlaps(query.join(' '));
      expect([...overlaps]).toEqual(places.map((place) => expected[place] ?? 0));
      for (const share of overlaps) expect(share >= 0 && share <= 1).toBe(true);
    }),
  );
});

function wordsUpTo(count: number): string {
  return Array.from({ length: count }, (_, place) => `other${place}`).join(' ');
}
