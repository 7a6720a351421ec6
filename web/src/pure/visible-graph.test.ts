import { expect, test } from 'vitest';

import type { GraphView, ViewEdge, ViewNode } from '../../../src/control/contract/graph.js';
import { visibleGraph } from './visible-graph.js';

const node = (id: string, children?: readonly string[]): ViewNode => ({
  id,
  kind: children ? 'capability' : 'tool',
  label: id,
  community: 0,
  importance: 0.5,
  calls: 1,
  failures: 0,
  repeats: 0,
  ...(children && { children }),
});
const edge = (from: string, to: string, type: ViewEdge['type'] = 'provides'): ViewEdge => ({
  from,
  to,
  type,
  source: 'observed',
  weight: 0.5,
  observed: 3,
});
const view = (nodes: readonly ViewNode[], edges: readonly ViewEdge[]): GraphView => ({
  nodes,
  edges,
  total: { nodes: nodes.length, edges: edges.length },
  isCut: false,
});

const GRAPH = view(
  [node('cap:a', ['s:x', 's:y']), node('cap:b', ['s:y']), node('s:x'), node('s:y'), node('s:z')],
  [edge('s:x', 's:y'), edge('s:y', 's:z'), edge('cap:a', 's:x', 'contains')],
);

const ids = (open: readonly string[]) => {
  const drawn = visibleGraph(GRAPH, { open: new Set(open) });
  return {
    nodes: drawn.nodes.map(({ id }) => id),
    edges: drawn.edges.map(({ from, to, type }) => `${from} > ${to} ${type}`),
  };
};

test('a closed capability stands for its tools, and their edges go to it', () => {
  expect(ids([])).toEqual({
    nodes: ['cap:a', 'cap:b', 's:z'],
    edges: ['cap:a > s:z provides'],
  });
});

test('an open capability holds its tools', () => {
  expect(ids(['cap:a'])).toEqual({
    nodes: ['cap:a', 'cap:a/s:x', 'cap:a/s:y', 'cap:b', 's:z'],
    edges: ['cap:a/s:x > cap:a/s:y provides', 'cap:a/s:y > s:z provides'],
  });
});

test('a tool in two open capabilities stands in both, and the copies are linked', () => {
  expect(ids(['cap:a', 'cap:b'])).toMatchObject({
    nodes: ['cap:a', 'cap:a/s:x', 'cap:a/s:y', 'cap:b', 'cap:b/s:y', 's:z'],
    edges: expect.arrayContaining(['cap:a/s:y > cap:b/s:y same']),
  });
});

test('a tool that was called right after itself has a loop', () => {
  const drawn = visibleGraph(view([{ ...node('s:x'), repeats: 3 }], []), { open: new Set() });

  expect(drawn.edges).toEqual([
    expect.objectContaining({ from: 's:x', to: 's:x', type: 'repeat', label: '×3' }),
  ]);
});

test('flat, every node stands alone and containing is an edge', () => {
  const drawn = visibleGraph(GRAPH, { open: new Set(), isFlat: true });

  expect(drawn.nodes).toHaveLength(5);
  expect(drawn.edges.map(({ type }) => type)).toContain('contains');
});
