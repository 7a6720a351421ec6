import { expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { harmlessFirst, usefulHits } from './useful-hits.js';

const hit = (id: string, score: number, need?: string) => ({
  tool: catalogTool(id),
  score,
  matches: [],
  ...(need !== undefined && { need }),
});
const ids = (hits: ReturnType<typeof usefulHits>) => hits.map(({ tool }) => tool.id);

test('hits far behind the best are left out', () => {
  const hits = [hit('a:one', 0.8), hit('a:two', 0.3), hit('a:three', 0.1), hit('a:four', 0.04)];

  expect(ids(usefulHits(hits, { limit: 5, isByWords: false }))).toEqual(['a:one', 'a:two']);
});

test('the best hit of every need stays', () => {
  const hits = [
    hit('a:one', 0.8, 'find it'),
    hit('a:two', 0.15, 'find it'),
    hit('b:one', 0.12, 'mail it'),
  ];

  expect(ids(usefulHits(hits, { limit: 5, isByWords: false }))).toEqual(['a:one', 'b:one']);
});

test('the best hit of a need comes before further hits of another need when there is little room', () => {
  const hits = [
    hit('a:one', 0.8, 'find it'),
    hit('a:two', 0.7, 'find it'),
    hit('a:three', 0.6, 'find it'),
    hit('b:one', 0.1, 'mail it'),
  ];

  expect(ids(usefulHits(hits, { limit: 2, isByWords: false }))).toEqual(['a:one', 'b:one']);
});

test('no hit is useful when even the best is unlikely; words have no least score', () => {
  const hits = [hit('a:one', 0.03), hit('a:two', 0.02)];

  expect(usefulHits(hits, { limit: 5, isByWords: false })).toEqual([]);
  expect(ids(usefulHits(hits, { limit: 5, isByWords: true }))).toEqual(['a:one', 'a:two']);
});

test('the first harmless hit comes before destructive ones, the rest keeps its order', () => {
  const hits = [hit('a:delete', 0.9), hit('a:drop', 0.8), hit('a:get', 0.7), hit('a:list', 0.6)];
  const isDestructive = ({ id }: { readonly id: string }) => /delete|drop/.test(id);

  expect(ids(harmlessFirst(hits, isDestructive))).toEqual([
    'a:get',
    'a:delete',
    'a:drop',
    'a:list',
  ]);
  expect(harmlessFirst(hits.slice(0, 2), isDestructive)).toEqual(hits.slice(0, 2));
});
