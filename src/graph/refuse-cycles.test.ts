import fc from 'fast-check';
import { expect, test } from 'vitest';

import { refuseCycles } from './refuse-cycles.js';

const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const edges = fc
  .uniqueArray(fc.record({ from: node, to: node, observed: fc.nat(3) }), {
    selector: ({ from, to }) => `${from} ${to}`,
    maxLength: 20,
  })
  .map((all) => all.map((edge) => ({ ...edge, key: `${edge.from} ${edge.to}` })));

type Edge = { readonly from: string; readonly to: string };

function reaches(kept: readonly Edge[], from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const one of reached) {
    for (const edge of kept) if (edge.from === one) reached.add(edge.to);
  }
  return reached.has(to);
}

test('refuseCycles keeps the strongest edges and refuses exactly those that close a cycle with them', () => {
  fc.assert(
    fc.property(edges, (all) => {
      const kept: Edge[] = [];
      const expected = all
        .toSorted((a, b) => b.observed - a.observed || (a.key < b.key ? -1 : 1))
        .filter(({ from, to }) => {
          if (reaches(kept, to, from)) return true;
          kept.push({ from, to });
          return false;
        })
        .map(({ key }) => key);

      const refused = [...refuseCycles(all)].map(({ key }) => key);
      const turned = [...refuseCycles(all.toReversed())].map(({ key }) => key);

      expect(refused).toEqual(expected);
      expect(turned).toEqual(expected);
    }),
  );
});
