import fc from 'fast-check';
import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { allAfter, withoutCycles } from './without-cycles.js';

const link = (from: string, to: string) => ({ from: id(from), to: id(to), probability: 0.5 });

test('withoutCycles leaves out the last link of a cycle', () => {
  const all = [link('a:one', 'a:two'), link('a:two', 'a:three'), link('a:three', 'a:one')];

  expect(withoutCycles(all)).toEqual({ links: all.slice(0, 2), broken: all.slice(2) });
});

test('withoutCycles keeps no link that closes a cycle and loses none, whatever the links', () => {
  const anyName = fc.constantFrom('a:one', 'a:two', 'a:three', 'a:four');
  fc.assert(
    fc.property(fc.array(fc.tuple(anyName, anyName)), (pairs) => {
      const all = pairs.map(([from, to]) => link(from, to));

      const { links, broken } = withoutCycles(all);

      expect(links.length + broken.length).toBe(all.length);
      for (const { from, to } of links) expect(allAfter(to, links).has(from)).toBe(false);
      for (const { from, to } of broken) expect(allAfter(to, links).has(from)).toBe(true);
    }),
  );
});
