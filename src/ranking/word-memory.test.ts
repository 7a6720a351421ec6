import fc from 'fast-check';
import { expect, test } from 'vitest';

import { WordMemory } from './word-memory.js';

function memoryOf(texts: Readonly<Record<string, string>>): WordMemory {
  const memory = new WordMemory();
  for (const [id, text] of Object.entries(texts)) memory.add(id, text);
  return memory;
}

test('rare words tell more than common ones', () => {
  const memory = memoryOf({
    common1: 'send mail today',
    common2: 'send mail tomorrow',
    rare: 'plot chart',
  });

  const overlaps = memory.overlaps('send chart');

  expect(overlaps.get('rare')).toBeGreaterThan(overlaps.get('common1')!);
  expect(overlaps.has('unknown')).toBe(false);
});

test('a long request must share more words to be as near', () => {
  const memory = memoryOf({ short: 'plot chart', long: `plot chart ${wordsUpTo(40)}` });

  const overlaps = memory.overlaps('plot chart');

  expect(overlaps.get('short')).toBeGreaterThan(overlaps.get('long')!);
});

test.each(['', '   ', '🦜', '\u0000\u0001', 'unheard'])('%j overlaps with nothing', (text) => {
  expect(memoryOf({ one: 'plot chart' }).overlaps(text).size).toBe(0);
  expect(memoryOf({}).overlaps('plot chart').size).toBe(0);
});

test('nothing of a removed request is left, and removing twice is harmless', () => {
  const memory = memoryOf({ one: 'plot chart', two: 'send mail' });

  memory.remove('one');
  memory.remove('one');

  expect(memory.overlaps('plot chart').size).toBe(0);
  expect(memory.overlaps('mail')).toEqual(memoryOf({ two: 'send mail' }).overlaps('mail'));
});

test('added again, a request has its new words only', () => {
  const memory = memoryOf({ one: 'plot chart' });

  memory.add('one', 'send mail');

  expect(memory.overlaps('plot chart').size).toBe(0);
  expect(memory.overlaps('mail')).toEqual(memoryOf({ one: 'send mail' }).overlaps('mail'));
});

test('left out, requests count as if they had never been told', () => {
  const text = fc.array(fc.constantFrom('plot', 'chart', 'send', 'mail', 'file'), {
    minLength: 1,
    maxLength: 4,
  });
  const told = fc.array(fc.record({ text, isLeftOut: fc.boolean() }), { maxLength: 8 });
  fc.assert(
    fc.property(told, text, (requests, query) => {
      const all = new WordMemory();
      const kept = new WordMemory();
      const leftOut = new Set<string>();
      requests.forEach((one, place) => {
        all.add(`r${place}`, one.text.join(' '));
        if (one.isLeftOut) leftOut.add(`r${place}`);
        else kept.add(`r${place}`, one.text.join(' '));
      });

      const overlaps = all.overlaps(query.join(' '), leftOut);

      expect(overlaps).toEqual(kept.overlaps(query.join(' ')));
      for (const share of overlaps.values()) expect(share > 0 && share <= 1).toBe(true);
    }),
  );
});

function wordsUpTo(count: number): string {
  return Array.from({ length: count }, (_, place) => `other${place}`).join(' ');
}
