import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { aCall, anyTrace, AT, aTrace } from '../../test/helpers/graph-samples.js';
import type { EdgeType, ExecutionTrace, GraphDelta } from '../core/index.js';
import { DeltaCounts } from './delta-counts.js';
import { graphOf } from './graph-of.js';

/** `from > to observed/failed` of one type. */
function edgesOf(trace: ExecutionTrace, type: EdgeType): readonly string[] {
  return graphOf([trace])
    .edges.filter((edge) => edge.type === type)
    .map(({ from, to, observed, failed }) => `${from} > ${to} ${observed}/${failed}`);
}

function sum(...deltas: readonly GraphDelta[]): GraphDelta {
  const counts = new DeltaCounts();
  for (const { nodes, edges } of deltas) {
    for (const node of nodes) counts.addNode(node);
    for (const edge of edges) counts.addEdge(edge);
  }
  return counts.delta();
}

describe('the node that an execution gives a tool', () => {
  test('node counts have the calls, failures, repetitions, duration and last use of a tool', () => {
    const trace = aTrace([
      aCall('a:x', { ms: 10.4 }),
      aCall('!a:x', { ms: 5.3 }),
      aCall('b:y'),
      aCall('a:x', { ms: 1 }),
    ]);

    const { nodes } = graphOf([trace, trace]);

    expect(nodes).toEqual([
      { id: 'a:x', calls: 6, failures: 2, repeats: 2, runs: 2, totalMs: 32, lastAt: AT },
      { id: 'b:y', calls: 2, failures: 0, repeats: 0, runs: 2, totalMs: 0, lastAt: AT },
    ]);
  });
});

describe('sequence', () => {
  test('sequence edge leads to the next different call of the same caller, once an execution', () => {
    const trace = aTrace(['a:x', 'a:x', 'b:y', 'a:x', 'b:y']);

    expect(edgesOf(trace, 'sequence')).toEqual(['a:x > b:y 1/0', 'b:y > a:x 1/0']);
  });

  test('sequence edge does not lead into the calls that another call made', () => {
    const trace = aTrace(['a:x', 'cap:c', aCall('b:y', { parent: 1 }), 'd:z']);

    expect(edgesOf(trace, 'sequence')).toEqual(['a:x > cap:c 1/0', 'cap:c > d:z 1/0']);
  });

  test('sequence edges follow the start of calls, and operations stay where they are recorded', () => {
    const trace = aTrace([
      aCall('a:late', { startMs: 20 }),
      aCall('code:map'),
      aCall('b:early', { startMs: 10 }),
    ]);

    expect(edgesOf(trace, 'sequence')).toEqual(['a:late > code:map 1/0', 'b:early > a:late 1/0']);
  });

  test('sequence edge starts at the previous call of the client if the client calls tools one by one', () => {
    const before = [aCall('c:w'), aCall('a:x')];
    const one = { ...aTrace(['b:y', 'b:y']), before };
    const inside = { ...aTrace(['cap:c', aCall('d:z', { parent: 0 })]), before };
    const several = { ...aTrace(['b:y', 'd:z']), before };

    expect(edgesOf(one, 'sequence')).toEqual(['a:x > b:y 1/0']);
    expect(edgesOf(inside, 'sequence')).toEqual(['a:x > cap:c 1/0']);
    expect(edgesOf(several, 'sequence')).toEqual(['b:y > d:z 1/0']);
    expect(edgesOf({ ...aTrace(['a:x']), before }, 'sequence')).toEqual([]);
    expect(edgesOf({ ...one, source: 'import' }, 'sequence')).toEqual([]);
    expect(graphOf([one]).nodes.map(({ id }) => id)).toEqual(['b:y']);
  });

  test('sequence edge counts as failed if the later call never worked, else as observed', () => {
    expect(edgesOf(aTrace(['a:x', '!b:y']), 'sequence')).toEqual(['a:x > b:y 0/1']);
    expect(edgesOf(aTrace(['a:x', '!b:y', 'b:y']), 'sequence')).toEqual(['a:x > b:y 1/0']);
    expect(edgesOf(aTrace(['a:x', '!b:y', 'a:x', 'b:y']), 'sequence')).toContain('a:x > b:y 1/0');
  });
});

describe('a value that went from one call into another', () => {
  test('a value flow between two tools adds one provides edge an execution, and none to itself', () => {
    const trace = aTrace(
      ['a:x', 'b:y', 'a:x'],
      [
        { from: 0, to: 1, param: 'p' },
        { from: 0, to: 1, param: 'q' },
        { from: 0, to: 2 },
        { from: 7, to: 1 },
      ],
    );

    expect(edgesOf(trace, 'provides')).toEqual(['a:x > b:y 1/0']);
  });

  test('a value flow from a capability makes the consumer depend on the whole capability', () => {
    const trace = aTrace(
      ['cap:c', '!b:y', 'cap:d'],
      [
        { from: 0, to: 1 },
        { from: 0, to: 2 },
      ],
    );

    expect(edgesOf(trace, 'dependency')).toEqual(['cap:c > b:y 0/1', 'cap:c > cap:d 1/0']);
    expect(edgesOf(trace, 'provides')).toEqual([]);
  });

  test('a value flow out of a capability counts as its result, however deep inside it was made', () => {
    const trace = aTrace(
      ['cap:outer', aCall('cap:inner', { parent: 0 }), aCall('a:x', { parent: 1 }), 'b:y'],
      [{ from: 2, to: 3 }],
    );

    expect(edgesOf(trace, 'dependency')).toEqual(['cap:outer > b:y 1/0']);
    expect(edgesOf(trace, 'provides')).toEqual([]);
  });

  test('a value flow between tools inside one capability stays inside it', () => {
    const trace = aTrace(
      [
        'cap:outer',
        aCall('cap:inner', { parent: 0 }),
        aCall('a:x', { parent: 1 }),
        aCall('b:y', { parent: 1 }),
        aCall('d:z', { parent: 0 }),
      ],
      [
        { from: 2, to: 3 },
        { from: 2, to: 4 },
        { from: 0, to: 2 },
        { from: 2, to: 0 },
      ],
    );

    expect(edgesOf(trace, 'provides')).toEqual(['a:x > b:y 1/0']);
    expect(edgesOf(trace, 'dependency')).toEqual(['cap:inner > d:z 1/0']);
  });
});

test('a capability contains its calls, and other code contains nothing', () => {
  const trace = aTrace([
    'cap:c',
    aCall('a:x', { parent: 0 }),
    aCall('!b:y', { parent: 0 }),
    'd:script',
    aCall('a:x', { parent: 3 }),
  ]);

  expect(edgesOf(trace, 'contains')).toEqual(['cap:c > a:x 1/0', 'cap:c > b:y 0/1']);
});

describe('alternative', () => {
  test('alternative edge leads to the call that worked right after another had failed for good', () => {
    expect(edgesOf(aTrace(['!a:x', '!a:x', '!b:y', 'b:y']), 'alternative')).toEqual([
      'a:x > b:y 1/0',
    ]);
  });

  test('alternative edge is not added if the next call failed too or the first worked in the end', () => {
    expect(edgesOf(aTrace(['!a:x', '!b:y']), 'alternative')).toEqual([]);
    expect(edgesOf(aTrace(['!a:x', 'b:y', 'a:x']), 'alternative')).toEqual([]);
    expect(edgesOf(aTrace(['!a:x', 'a:x', 'b:y']), 'alternative')).toEqual([]);
  });

  test('alternative edge is not added for a call that was running before the failure', () => {
    const first = aCall('!a:x', { startMs: 0, ms: 100 });

    expect(edgesOf(aTrace([first, aCall('b:y', { startMs: 50 })]), 'alternative')).toEqual([]);
    expect(edgesOf(aTrace([first, aCall('b:y', { startMs: 100 })]), 'alternative')).toEqual([
      'a:x > b:y 1/0',
    ]);
  });
});

describe('what executions tell', () => {
  test('graph deltas add up: two parts give the same as both together, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyTrace), fc.array(anyTrace), (some, others) => {
        const together = graphOf([...some, ...others]);

        expect(graphOf([...others, ...some])).toEqual(together);
        expect(sum(graphOf(some), graphOf(others))).toEqual(together);
      }),
    );
  });

  test('graph delta is sorted, counts each edge once an execution, and has no self-loop', () => {
    fc.assert(
      fc.property(anyTrace, (trace) => {
        const { nodes, edges } = graphOf([trace]);
        const keys = edges.map(({ from, to, type }) => [from, to, type].join('\u0000'));

        expect(nodes.map(({ id }) => id)).toEqual(
          [...new Set(nodes.map(({ id }) => id))].toSorted(),
        );
        expect(keys).toEqual([...new Set(keys)].toSorted());
        for (const { from, to, observed, failed } of edges) {
          expect(observed + failed).toBe(1);
          expect(from).not.toBe(to);
        }
      }),
    );
  });
});
