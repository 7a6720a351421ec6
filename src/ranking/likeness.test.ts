import { expect, test } from 'vitest';

import { toyVector } from '../../test/helpers/toy-embedder.js';
import { createVectorIndex } from '../search/index.js';
import { likenessTo } from './likeness.js';

function indexOf(...texts: string[]) {
  const index = createVectorIndex<string>(64);
  for (const text of texts) index.set(text, toyVector(text));
  return index;
}

const all = { limit: 10, fits: () => true };
const texts = ['send a mail', 'read a file', 'search the web', 'plot a chart'];

test('likeness of similar texts is above the mean, and of others around or below it', () => {
  const likeness = likenessTo(indexOf(...texts), toyVector('send that mail'), all);

  expect(likeness.top[0]).toBe('send a mail');
  expect(likeness.of('send a mail')).toBeGreaterThan(1);
  expect(likeness.of('plot a chart')).toBeLessThan(0);
  expect(likeness.of('unknown')).toBe(0);
});

test('likeness stays the same after another query of the index', () => {
  const index = indexOf(...texts);
  const likeness = likenessTo(index, toyVector('send that mail'), all);
  const before = texts.map((text) => likeness.of(text));

  likenessTo(index, toyVector('plot a chart'), all);

  expect(texts.map((text) => likeness.of(text))).toEqual(before);
});

test('likeness top has only texts that pass the filter, up to the limit', () => {
  const fits = (text: string) => text !== 'send a mail';
  const top = (limit: number) =>
    likenessTo(indexOf(...texts), toyVector('send that mail'), { limit, fits }).top;

  expect(top(2)).toHaveLength(2);
  expect(top(10)).not.toContain('send a mail');
  expect(top(0)).toEqual([]);
});

test('likeness is 0 if all texts are alike, or if there is one or none', () => {
  const vector = toyVector('send that mail');

  expect(likenessTo(indexOf('send a mail'), vector, all).of('send a mail')).toBe(0);
  expect(likenessTo(indexOf(), vector, all)).toMatchObject({ top: [] });
});
