import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import type { FindAlike } from '../../attention/index.js';
import { lentFollowers } from './lent-followers.js';

const alike: FindAlike = (_, lends) =>
  (
    [
      [id('a:find'), 0.9],
      [id('b:other'), 0.2],
    ] as const
  ).filter(([tool]) => lends(tool));

const after = (runs: readonly (readonly string[])[]) =>
  evidenceWith({ traces: runs.map((tools, at) => served(`r${at}`, 'x', [...tools])) });

test('rarely called tool borrows the followers of the tools most like it', () => {
  const evidence = after([
    ['a:find', 'a:read'],
    ['a:find', 'a:read'],
    ['b:other', 'b:drop'],
  ]);

  const lent = lentFollowers(id('c:search'), { ...evidence, alike });

  expect(lent.get(id('a:read'))).toBeGreaterThan(0.9);
  expect(lent.get(id('b:drop'))).toBeLessThan(0.1);
});

test('tool with enough followers of its own borrows none', () => {
  const own = Array.from({ length: 10 }, () => ['c:search', 'c:open']);
  const evidence = after([...own, ['a:find', 'a:read']]);

  expect(lentFollowers(id('c:search'), { ...evidence, alike }).size).toBe(0);
});

test('tool borrows no followers without vectors', () => {
  expect(lentFollowers(id('c:search'), after([['a:find', 'a:read']])).size).toBe(0);
});
