/**
 * Which nodes and edges of the graph are drawn. A capability starts closed; open, it is a box around
 * what it calls. A tool that several open capabilities call stands in each of them, and the copies
 * are linked. Edges of what a closed capability hides go to that capability.
 */
import type { GraphView, ViewEdge, ViewNode } from '../../../src/control/contract/graph.js';

export interface DrawnNode {
  /** Unique on the page: the ids of the open capabilities around it, and its own. */
  readonly id: string;
  readonly node: ViewNode;
  readonly parent?: string;
  readonly isOpen: boolean;
}

export interface DrawnEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** `same`: two copies of one tool. `repeat`: called again right after itself. */
  readonly type: ViewEdge['type'] | 'same' | 'repeat';
  readonly weight: number;
  readonly label?: string;
}

export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** By the id of a node in the graph: where it, or what hides it, is drawn. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

interface VisibleOptions {
  readonly open: ReadonlySet<string>;
  /** Every node stands alone, and `contains` is an edge. */
  readonly isFlat?: boolean;
}

export function visibleGraph(
  view: GraphView,
  { open, isFlat = false }: VisibleOptions,
): DrawnGraph {
  const nodes = isFlat
    ? view.nodes.map((node) => ({ id: node.id, node, isOpen: false }))
    : nestedNodes(view, open);
  const places = placesOf(nodes, isFlat ? [] : view.nodes);
  const edges = [
    ...drawnEdges(view.edges, places, isFlat),
    ...copyLinks(nodes),
    ...repeatLoops(nodes),
  ];
  return { nodes, edges, places };
}

/** Nodes that no shown capability contains, and below the open ones what they contain. */
function nestedNodes(view: GraphView, open: ReadonlySet<string>): readonly DrawnNode[] {
  const byId = new Map(view.nodes.map((node) => [node.id, node]));
  const inside = new Set(view.nodes.flatMap(({ children = [] }) => children));
  const drawn: DrawnNode[] = [];
  const add = (node: ViewNode, parent: string | undefined, around: readonly string[]) => {
    const id = parent === undefined ? node.id : `${parent}/${node.id}`;
    const children = (node.children ?? []).filter((one) => byId.has(one) && !around.includes(one));
    const isOpen = open.has(node.id) && children.length > 0;
    drawn.push({ id, node, isOpen, ...(parent !== undefined && { parent }) });
    if (!isOpen) return;
    for (const child of children) add(byId.get(child)!, id, [...around, node.id]);
  };
  for (const node of view.nodes) {
    // What code does with its own data says something only inside a capability.
    if (!inside.has(node.id) && node.kind !== 'operation') add(node, undefined, []);
  }
  return drawn;
}

function placesOf(
  drawn: readonly DrawnNode[],
  nodes: readonly ViewNode[],
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { id, node } of drawn) places.set(node.id, [...(places.get(node.id) ?? []), id]);
  const containers = new Map<string, string[]>();
  for (const { id, children = [] } of nodes) {
    for (const child of children) containers.set(child, [...(containers.get(child) ?? []), id]);
  }
  const find = (id: string, way: ReadonlySet<string>): readonly string[] => {
    const known = places.get(id);
    if (known || way.has(id)) return known ?? [];
    const further = new Set([...way, id]);
    return [...new Set((containers.get(id) ?? []).flatMap((one) => find(one, further)))];
  };
  const all = new Map<string, readonly string[]>(places);
  for (const { id } of nodes) if (!all.has(id)) all.set(id, find(id, new Set()));
  return all;
}

function drawnEdges(
  edges: readonly ViewEdge[],
  places: ReadonlyMap<string, readonly string[]>,
  isFlat: boolean,
): readonly DrawnEdge[] {
  const drawn = new Map<string, DrawnEdge>();
  for (const { from, to, type, weight } of edges) {
    if (type === 'contains' && !isFlat) continue;
    const pair = nearestPair(places.get(from) ?? [], places.get(to) ?? []);
    if (
      !pair ||
      pair[0] === pair[1] ||
      pair[1].startsWith(`${pair[0]}/`) ||
      pair[0].startsWith(`${pair[1]}/`)
    ) {
      continue;
    }
    const id = `${pair[0]} ${pair[1]} ${type}`;
    const known = drawn.get(id);
    if (!known || known.weight < weight)
      drawn.set(id, { id, from: pair[0], to: pair[1], type, weight });
  }
  return [...drawn.values()];
}

/** Copies in the same capability belong together. */
function nearestPair(
  from: readonly string[],
  to: readonly string[],
): readonly [string, string] | undefined {
  const around = (id: string) => id.slice(0, Math.max(0, id.lastIndexOf('/')));
  for (const one of from) {
    const beside = to.find((other) => around(other) === around(one));
    if (beside !== undefined) return [one, beside];
  }
  return from[0] !== undefined && to[0] !== undefined ? [from[0], to[0]] : undefined;
}

function copyLinks(nodes: readonly DrawnNode[]): readonly DrawnEdge[] {
  const last = new Map<string, string>();
  return nodes.flatMap(({ id, node }) => {
    const before = last.get(node.id);
    last.set(node.id, id);
    return before === undefined
      ? []
      : [{ id: `${before} ${id} same`, from: before, to: id, type: 'same' as const, weight: 0 }];
  });
}

function repeatLoops(nodes: readonly DrawnNode[]): readonly DrawnEdge[] {
  return nodes.flatMap(({ id, node, isOpen }) =>
    node.repeats > 0 && !isOpen
      ? [
          {
            id: `${id} repeat`,
            from: id,
            to: id,
            type: 'repeat' as const,
            weight: 0.2,
            label: `×${node.repeats}`,
          },
        ]
      : [],
  );
}

/** Nodes whose name holds every word. */
export function matchNodes(nodes: readonly ViewNode[], text: string): readonly ViewNode[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return nodes.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
}
