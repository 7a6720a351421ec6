import { isCapability, type ToolId } from '../../core/index.js';
import type { CapabilityShape } from '../capability-shape.js';
import { byCodeUnits } from '../delta-counts.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { MinHeap } from './min-heap.js';

/** Something that can be had once all that it needs is there. */
export interface Hyperedge {
  readonly needs: readonly ToolId[];
  readonly gives: ToolId;
  readonly cost: number;
}

export interface Hyperpath {
  /** What is used, each after all that it needs. */
  readonly edges: readonly Hyperedge[];
  readonly cost: number;
}

/**
 * The cheapest way to have something when everything used needs *all* of its needs (the procedure of
 * Gallo and others for B-hyperpaths). The cost of a node is that of its edge and the sum of its needs.
 */
export function cheapestHyperpath(
  edges: readonly Hyperedge[],
  from: Iterable<ToolId>,
  to: ToolId,
): Hyperpath | undefined {
  const users = new Map<ToolId, number[]>();
  const missing = edges.map(({ needs }) => new Set(needs).size);
  for (const [place, { needs }] of edges.entries()) {
    for (const need of new Set(needs)) users.set(need, [...(users.get(need) ?? []), place]);
  }
  const costs = new Map<ToolId, number>();
  const used = new Map<ToolId, number>();
  const heap = new MinHeap();
  // Edges are what is waited for: each is there when its last need is, at its full cost.
  const offer = (place: number) => {
    const { needs, cost } = edges[place] as Hyperedge;
    heap.push(
      place,
      [...new Set(needs)].reduce((sum, need) => sum + (costs.get(need) ?? 0), cost),
    );
  };
  const settle = (id: ToolId, cost: number) => {
    costs.set(id, cost);
    for (const place of users.get(id) ?? []) {
      missing[place] = (missing[place] ?? 0) - 1;
      if (missing[place] === 0) offer(place);
    }
  };
  for (const [place, { needs }] of edges.entries()) if (needs.length === 0) offer(place);
  for (const id of new Set(from)) settle(id, 0);
  while (!costs.has(to)) {
    const cost = heap.leastCost;
    const place = heap.pop();
    if (place === undefined) break;
    const { gives } = edges[place] as Hyperedge;
    if (costs.has(gives)) continue;
    used.set(gives, place);
    settle(gives, cost);
  }
  const cost = costs.get(to);
  return cost === undefined ? undefined : { edges: inOrder(edges, used, to), cost };
}

function inOrder(
  edges: readonly Hyperedge[],
  used: ReadonlyMap<ToolId, number>,
  to: ToolId,
): readonly Hyperedge[] {
  const done = new Set<ToolId>();
  const order: Hyperedge[] = [];
  const left: { readonly id: ToolId; readonly isReady: boolean }[] = [{ id: to, isReady: false }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { id, isReady } = next;
    const edge = edges[used.get(id) ?? -1];
    if (!edge || done.has(id)) continue;
    if (isReady) {
      done.add(id);
      order.push(edge);
    } else {
      left.push({ id, isReady: true }, ...edge.needs.map((need) => ({ id: need, isReady: false })));
    }
  }
  return order;
}

/**
 * The graph as hyperedges: a value that goes from one node into another, and every capability as
 * something that is there once all of its calls are. What a node needs a whole capability for thus
 * needs all that is in it, and not only its last call.
 */
export function hyperedgesOf(graph: KnowledgeGraph): readonly Hyperedge[] {
  const flows = graph
    .edges()
    .filter(({ type }) => type === 'provides' || type === 'dependency')
    .map(({ from, to, weight }): Hyperedge => ({ needs: [from], gives: to, cost: 1 / weight }));
  const all = graph.shapes.map(({ id }) => id);
  return [...flows, ...wholesOf(graph, all)].toSorted(
    (a, b) => byCodeUnits(a.gives, b.gives) || byCodeUnits(a.needs.join(), b.needs.join()),
  );
}

/** Each of these is there once all that it calls is. */
function wholesOf(graph: KnowledgeGraph, capabilities: Iterable<ToolId>): readonly Hyperedge[] {
  const { direct } = callsOf(graph);
  return [...capabilities].flatMap((gives): Hyperedge[] => {
    const needs = direct.get(gives) ?? [];
    return needs.length > 0 ? [{ needs, gives, cost: 1 }] : [];
  });
}

/**
 * What all has to be done, of what can be done, before something that takes the results of whole
 * capabilities: each of these itself, or else all of its calls. Nothing if it was never seen to take
 * any, or takes as often what one of their calls gives by itself.
 */
export function neededWhole(
  graph: KnowledgeGraph,
  to: ToolId,
  done: ReadonlySet<ToolId>,
): Hyperpath | undefined {
  const givers = graph
    .in(to, ['dependency'])
    .filter(({ from, observed }) => isCapability(from) && observed > 0)
    .filter(({ from, observed }) => observed > givenInside(graph, from, to));
  if (givers.length === 0) return undefined;
  const runs = graph.node(to)?.runs ?? 0;
  const usual = givers.filter(({ observed }) => 2 * observed > runs).map(({ from }) => from);
  const takings = givers.map(({ from, weight }): Hyperedge => {
    return { needs: [...new Set([from, ...usual])], gives: to, cost: 1 / weight };
  });
  const wholes = new Set(givers.flatMap(({ from }) => [from, ...callsInside(graph, from)]));
  return cheapestHyperpath([...takings, ...wholesOf(graph, wholes)], done, to);
}

/** How often a node took what a call of a capability gave by itself: the most of all of them. */
function givenInside(graph: KnowledgeGraph, capability: ToolId, to: ToolId): number {
  const times = [...callsInside(graph, capability)].map((call) => {
    return graph.edge(call, to, 'provides')?.observed ?? 0;
  });
  return Math.max(0, ...times);
}

interface KnownCalls {
  readonly direct: ReadonlyMap<ToolId, readonly ToolId[]>;
  readonly inside: Map<ToolId, ReadonlySet<ToolId>>;
}

/** Worked out once for all that the code of capabilities says at a time. */
const knownCalls = new WeakMap<readonly CapabilityShape[], KnownCalls>();

function callsOf({ shapes }: KnowledgeGraph): KnownCalls {
  const known = knownCalls.get(shapes);
  if (known) return known;
  const direct = new Map(shapes.map(({ id, calls }) => [id, [...new Set(calls)]]));
  const made = { direct, inside: new Map<ToolId, ReadonlySet<ToolId>>() };
  knownCalls.set(shapes, made);
  return made;
}

/** All that a capability calls, what is called by those that it calls included. */
export function callsInside(graph: KnowledgeGraph, capability: ToolId): ReadonlySet<ToolId> {
  const { direct, inside } = callsOf(graph);
  const known = inside.get(capability);
  if (known) return known;
  const found = new Set(direct.get(capability));
  // Grows while it is read.
  for (const call of found) for (const next of direct.get(call) ?? []) found.add(next);
  found.delete(capability);
  inside.set(capability, found);
  return found;
}
