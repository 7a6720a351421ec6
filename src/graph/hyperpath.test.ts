import { describe, expect, test } from 'vitest';

import { aChain, graphWith, id } from '../../test/helpers/graph-samples.js';
import { cheapestHyperpath, type Hyperedge, hyperedgesOf } from './hyperpath.js';

const edge = (needs: readonly string[], gives: string, cost = 1): Hyperedge => ({
  needs: needs.map(id),
  gives: id(gives),
  cost,
});

const show = (edges: readonly Hyperedge[] | undefined) =>
  edges?.map(({ needs, gives }) => `${needs.join('+')} > ${gives}`);

describe('the cheapest way to have something', () => {
  test('has all that each part of it needs, each after its needs', () => {
    const edges = [
      edge(['t:b', 't:c'], 't:d'),
      edge(['t:a'], 't:b'),
      edge(['t:a'], 't:c', 2),
      edge(['t:x'], 't:d', 0.1),
    ];

    const found = cheapestHyperpath(edges, [id('t:a')], id('t:d'));

    expect(show(found?.edges)?.at(-1)).toBe('t:b+t:c > t:d');
    expect(show(found?.edges)?.slice(0, 2).toSorted()).toEqual(['t:a > t:b', 't:a > t:c']);
    expect(found?.cost).toBe(1 + 1 + 2);
  });

  test('is another one when something it needs cannot be had, and none when there is none', () => {
    const edges = [edge(['t:a', 't:x'], 't:d'), edge(['t:a'], 't:d', 9)];

    expect(cheapestHyperpath(edges, [id('t:a')], id('t:d'))?.cost).toBe(9);
    expect(cheapestHyperpath(edges.slice(0, 1), [id('t:a')], id('t:d'))).toBeUndefined();
    expect(cheapestHyperpath(edges, [id('t:d')], id('t:d'))).toEqual({ edges: [], cost: 0 });
  });

  test('goes in no circles', () => {
    const edges = [edge(['t:b'], 't:a'), edge(['t:a'], 't:b'), edge(['t:b'], 't:c')];

    expect(cheapestHyperpath(edges, [id('t:x')], id('t:c'))).toBeUndefined();
    expect(show(cheapestHyperpath(edges, [id('t:a')], id('t:c'))?.edges)).toEqual([
      't:a > t:b',
      't:b > t:c',
    ]);
  });

  test('to what needs a whole capability leads over all of its calls', () => {
    const graph = graphWith(
      ['db:find', 'fs:read', 'provides'],
      ['cap:both', 'log:note', 'dependency'],
    );
    graph.setCapabilities([aChain('both', ['fs:read', 'zip:pack']), aChain('empty', [])]);

    const found = cheapestHyperpath(hyperedgesOf(graph), [id('db:find')], id('log:note'));

    expect(show(found?.edges)).toEqual([
      'db:find > fs:read',
      'fs:read > zip:pack',
      'fs:read+zip:pack > cap:both',
      'cap:both > log:note',
    ]);
  });
});
