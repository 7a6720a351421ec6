import { describe, expect, test } from 'vitest';

import { aChain, graphWith, id } from '../../../test/helpers/graph-samples.js';
import type { NodeCounts } from '../../core/index.js';
import {
  callsInside,
  cheapestHyperpath,
  type Hyperedge,
  hyperedgesOf,
  neededWhole,
} from './hyperpath.js';

const edge = (needs: readonly string[], gives: string, cost = 1): Hyperedge => ({
  needs: needs.map(id),
  gives: id(gives),
  cost,
});

const show = (edges: readonly Hyperedge[] | undefined) =>
  edges?.map(({ needs, gives }) => `${needs.join('+')} > ${gives}`);

describe('the cheapest way to have something', () => {
  test('the cheapest hyperpath has all needs of each part, each part after its needs', () => {
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

  test('the cheapest hyperpath avoids needs that are not available, and is undefined without another way', () => {
    const edges = [edge(['t:a', 't:x'], 't:d'), edge(['t:a'], 't:d', 9)];

    expect(cheapestHyperpath(edges, [id('t:a')], id('t:d'))?.cost).toBe(9);
    expect(cheapestHyperpath(edges.slice(0, 1), [id('t:a')], id('t:d'))).toBeUndefined();
    expect(cheapestHyperpath(edges, [id('t:d')], id('t:d'))).toEqual({ edges: [], cost: 0 });
  });

  test('the cheapest hyperpath has no cycles', () => {
    const edges = [edge(['t:b'], 't:a'), edge(['t:a'], 't:b'), edge(['t:b'], 't:c')];

    expect(cheapestHyperpath(edges, [id('t:x')], id('t:c'))).toBeUndefined();
    expect(show(cheapestHyperpath(edges, [id('t:a')], id('t:c'))?.edges)).toEqual([
      't:a > t:b',
      't:b > t:c',
    ]);
  });

  test('the cheapest hyperpath to a tool that needs a whole capability has all of its calls', () => {
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

describe('what takes the result of a whole capability', () => {
  const needs = (graph: ReturnType<typeof graphWith>, done: readonly string[]) =>
    show(neededWhole(graph, id('log:note'), new Set(done.map(id)))?.edges);

  test('a consumer of a capability result needs the capability, or else all of its calls', () => {
    const graph = graphWith(['cap:both', 'log:note', 'dependency', 1]);
    graph.setCapabilities([aChain('both', ['fs:read', 'zip:pack'])]);

    expect(needs(graph, ['cap:both', 'fs:read', 'zip:pack'])).toEqual(['cap:both > log:note']);
    expect(needs(graph, ['fs:read', 'zip:pack'])).toEqual([
      'fs:read+zip:pack > cap:both',
      'cap:both > log:note',
    ]);
    expect(needs(graph, ['zip:pack'])).toBeUndefined();
  });

  test('a consumer of a capability result needs all calls of nested capabilities', () => {
    const graph = graphWith(['cap:all', 'log:note', 'dependency']);
    graph.setCapabilities([
      aChain('all', ['db:find', 'cap:both']),
      aChain('both', ['fs:read', 'zip:pack']),
    ]);

    expect(needs(graph, ['db:find', 'fs:read', 'zip:pack'])).toEqual([
      'fs:read+zip:pack > cap:both',
      'db:find+cap:both > cap:all',
      'cap:all > log:note',
    ]);
    expect([...callsInside(graph, id('cap:all'))]).toEqual([
      'db:find',
      'cap:both',
      'fs:read',
      'zip:pack',
    ]);
  });

  test('a consumer of capability results needs several capabilities if it usually uses several', () => {
    const graph = graphWith(
      ['cap:one', 'log:note', 'dependency', 5],
      ['cap:two', 'log:note', 'dependency', 4],
      ['cap:rare', 'log:note', 'dependency', 1],
    );
    graph.apply({ nodes: [aNode('log:note', 6)], edges: [] });

    expect(needs(graph, ['cap:one'])).toBeUndefined();
    expect(needs(graph, ['cap:one', 'cap:two', 'cap:rare'])).toEqual([
      'cap:one+cap:two > log:note',
    ]);
  });

  test('a consumer of a capability result does not need it if a single call provides as often', () => {
    const graph = graphWith(
      ['cap:both', 'log:note', 'dependency', 2],
      ['zip:pack', 'log:note', 'provides', 2],
    );
    graph.setCapabilities([aChain('both', ['fs:read', 'zip:pack'])]);

    expect(needs(graph, ['cap:both', 'fs:read', 'zip:pack'])).toBeUndefined();
  });

  test('a consumer of a capability result is not known from code alone', () => {
    const graph = graphWith();
    graph.setCapabilities([aChain('both', ['cap:inner', 'log:note']), aChain('inner', ['a:b'])]);

    expect(graph.edge(id('cap:inner'), id('log:note'), 'dependency')).toBeDefined();
    expect(needs(graph, ['cap:inner'])).toBeUndefined();
  });
});

function aNode(name: string, runs: number): NodeCounts {
  return { id: id(name), calls: runs, failures: 0, repeats: 0, runs, totalMs: 0, lastAt: 0 };
}
