import { expect, test } from 'vitest';

import type { GraphStats, ShownEdge } from '../../control/index.js';
import type { ToolId } from '../../core/index.js';
import {
  describeGraph,
  describeGraphNode,
  describeGraphPath,
  describeRebuilt,
} from './graph-describe.js';

const id = (text: string) => text as ToolId;
// oxlint-disable-next-line no-control-regex -- colours are control sequences
const plain = (lines: readonly string[]) => lines.join('\n').replaceAll(/\u001B\[\d+m/g, '');

const STATS: GraphStats = {
  nodes: { tool: 1_200, operation: 0, capability: 2, meta: 1 },
  edges: [{ type: 'sequence', source: 'observed', count: 3_400 }],
  refused: 0,
  communities: 7,
  density: 0.012_34,
  central: [{ id: 'a:hub', importance: 1, calls: 5_000, failures: 3, community: 4 }],
  isStored: true,
};

const NODE = {
  id: id('a:x'),
  kind: 'tool',
  calls: 4,
  failures: 1,
  repeats: 2,
  runs: 3,
  totalMs: 100,
  lastAt: 0,
} as const;

const EDGE: ShownEdge = {
  from: id('a:x'),
  to: id('a:y'),
  type: 'provides',
  source: 'inferred',
  weight: 0.49,
  observed: 2,
  failed: 1,
  lastAt: 0,
};

test('describeGraph shows sizes, edges and central nodes', () => {
  expect(plain(describeGraph(STATS))).toBe(
    `1,203 nodes (1,200 tools, 2 capabilities, 1 meta), 3,400 edges, 7 communities, density 0.012.

edges     known from  count
sequence  observed    3,400

most central  importance  calls  failed  community
a:hub         1.00        5,000  3       4`,
  );
});

test('describeGraph shows how many edges are left out and that an unstored graph is not kept', () => {
  const text = plain(describeGraph({ ...STATS, refused: 2, isStored: false }));

  expect(text).toContain('2 edges are left out');
  expect(text).toContain('until the daemon ends');
});

test('describeGraph describes an empty graph in one line', () => {
  const nodes = { tool: 0, operation: 0, capability: 0, meta: 0 };

  expect(describeGraph({ ...STATS, nodes, edges: [], central: [] })).toHaveLength(1);
});

test('the description of a node shows its edges both ways and escapes control characters in names', () => {
  const bad = { ...EDGE, to: id('a:\u001B[2Jz') };

  const text = plain(describeGraphNode({ node: NODE, out: [EDGE, bad], in: [] }));

  expect(text).toMatch(
    /^a:x \(tool\): 4 calls in 3 executions, 1 failed, 2 repeated, 25 ms each, last /,
  );
  expect(text).toMatch(/a:y +provides +inferred +0\.49 +2 +1\n/);
  expect(text).not.toContain('comes from');
  expect(text).not.toContain('\u001B');
});

test('the description of a node says if it was never called', () => {
  const node = {
    ...NODE,
    id: id('cap:x'),
    kind: 'capability',
    calls: 0,
  } as const;

  expect(describeGraphNode({ node, out: [], in: [] })).toEqual([
    'cap:x (capability): not seen called yet.',
  ]);
});

test('describeGraphPath shows a path step by step and the calls of its capabilities', () => {
  const lines = describeGraphPath({
    from: 'a:x',
    to: 'a:z',
    steps: [
      { id: 'a:x', edges: [] },
      { id: 'a:y', edges: [EDGE] },
      { id: 'cap:c', edges: [] },
    ],
    calls: ['a:x', 'a:y', 'a:v', 'a:z'],
    cost: 2.5,
  });

  expect(lines).toEqual([
    'a:x',
    '→ a:y  provides, inferred, weight 0.49, worked 2, failed 1',
    '→ cap:c  through a capability',
    'Cost 2.50: the sum of 1 / weight.',
    'With capabilities opened: a:x → a:y → a:v → a:z',
  ]);
});

test('describeGraphPath says that there is no path and how the two nodes are connected otherwise', () => {
  expect(describeGraphPath({ from: 'a:x', to: 'b:y' })).toEqual(['Nothing leads from a:x to b:y.']);
  expect(
    describeGraphPath({ from: 'a:x', to: 'b:y', connection: ['a:x', 'cap:c', 'b:y'] }),
  ).toEqual(['Nothing leads from a:x to b:y.', 'They are connected: a:x – cap:c – b:y']);
});

test('describeRebuilt says whether the rebuilt graph differs', () => {
  expect(describeRebuilt({ executions: 1_000, differing: 0 })).toEqual([
    'Made from 1,000 executions. Nothing differs from what was there.',
  ]);
  expect(describeRebuilt({ executions: 1, differing: 12 })).toEqual([
    'Made from 1 executions. 12 nodes and edges differed from what was there.',
  ]);
  expect(describeRebuilt({ executions: 20_000, differing: 0, kept: 3 })).toEqual([
    'Made from 20,000 executions. Nothing differs from what was there.',
    '3 nodes and edges count more than these executions tell, and stay so: older executions are forgotten. `pml graph rebuild --force` removes what is more.',
  ]);
});
