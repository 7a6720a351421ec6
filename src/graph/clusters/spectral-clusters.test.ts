import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { seededRandom } from '../../core/index.js';
import type { ShapedCapability } from '../capability-shape.js';
import { singularVectors } from './singular-vectors.js';
import { spectralClusters } from './spectral-clusters.js';

function using(
  name: string,
  tools: readonly string[],
  sequence: readonly string[] = [],
): ShapedCapability {
  return {
    name,
    aliases: [],
    current: { structure: {}, contains: [], toolsUsed: tools.map(id), sequence },
  };
}

/** Members of each cluster. */
function groups(clusters: ReadonlyMap<string, number>): readonly string[] {
  const members = new Map<number, string[]>();
  for (const [one, cluster] of clusters) {
    members.set(cluster, [...(members.get(cluster) ?? []), one]);
  }
  return [...members.values()].map((all) => all.toSorted().join(' ')).toSorted();
}

test('singular values equal those computed by hand', () => {
  // [[3, 0], [4, 5]]: the squares are the eigenvalues 45 and 5 of its product with itself.
  const entries = [
    { row: 0, column: 0, value: 3 },
    { row: 1, column: 0, value: 4 },
    { row: 1, column: 1, value: 5 },
  ];

  const { values, right } = singularVectors({ rows: 2, columns: 2, entries }, 2, seededRandom(1));

  expect(values[0]).toBeCloseTo(Math.sqrt(45));
  expect(values[1]).toBeCloseTo(Math.sqrt(5));
  expect(Math.abs(right[0]![0]!)).toBeCloseTo(Math.SQRT1_2);
});

describe('clusters', () => {
  const files = ['one', 'two', 'three'].map((name) => using(name, ['fs:a', 'fs:b', 'fs:c']));
  const mails = ['four', 'five', 'six'].map((name) => using(name, ['ml:a', 'ml:b', 'ml:c']));

  test('clusters are separate where capabilities share no tool', () => {
    expect(groups(spectralClusters([...files, ...mails]))).toEqual([
      'cap:five cap:four cap:six ml:a ml:b ml:c',
      'cap:one cap:three cap:two fs:a fs:b fs:c',
    ]);
  });

  test('clusters are found where two groups are joined by one capability', () => {
    const bridge = using('bridge', ['fs:a', 'ml:a']);

    const clusters = spectralClusters([...files, bridge, ...mails]);

    const numberOf = (name: string) => clusters.get(id(name));
    expect(numberOf('fs:b')).toBe(numberOf('cap:one'));
    expect(numberOf('ml:b')).toBe(numberOf('cap:six'));
    expect(numberOf('fs:b')).not.toBe(numberOf('ml:b'));
  });

  test('clusters are found where all capabilities share a tool', () => {
    const shared = [...files, ...mails].map(({ name, current }) =>
      using(name, [...current.toolsUsed, 'log:write']),
    );

    const clusters = spectralClusters(shared);

    const numberOf = (name: string) => clusters.get(id(name));
    expect(numberOf('fs:a')).toBe(numberOf('cap:one'));
    expect(numberOf('ml:a')).toBe(numberOf('cap:six'));
    expect(numberOf('fs:a')).not.toBe(numberOf('ml:a'));
  });

  test('clusters are not made where each capability uses any tool', () => {
    const tools = ['a:a', 'a:b', 'b:c', 'b:d', 'c:e'];
    const any = tools.map((left) =>
      using(
        `without_${left.at(-1)}`,
        tools.filter((tool) => tool !== left),
      ),
    );

    expect(groups(spectralClusters(any))).toHaveLength(1);
  });

  test('clusters do not depend on the order of the input', () => {
    const all = [...files, using('bridge', ['fs:a', 'ml:a']), ...mails];

    expect(spectralClusters(all.toReversed())).toEqual(spectralClusters(all));
  });

  test('clusters can be weighted by how often a tool is called', () => {
    const often = (tool: string) => Array.from({ length: 30 }, (_, n) => `${tool}#${n}`);
    const both = ['x:a', 'x:b'];
    const all = [
      using('one', both, often('x:a')),
      using('two', both, often('x:a')),
      using('three', both, often('x:b')),
      using('four', both, often('x:b')),
    ];

    expect(groups(spectralClusters(all))).toHaveLength(1);
    expect(groups(spectralClusters(all, { byFrequency: true }))).toEqual([
      'cap:four cap:three x:b',
      'cap:one cap:two x:a',
    ]);
  });

  test('clusters exist for no capability, for one, and for one without tools', () => {
    expect(spectralClusters([]).size).toBe(0);
    expect(groups(spectralClusters([using('one', ['fs:a', 'fs:b']), using('none', [])]))).toEqual([
      'cap:one fs:a fs:b',
    ]);
  });
});
