import { bidirectional } from 'graphology-shortest-path';

import type { ToolId } from '../../core/index.js';
import { byCodeUnits } from '../delta-counts.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { MinHeap } from './min-heap.js';
import type { NeighbourIndex } from './neighbour-index.js';

/**
 * How two nodes are connected at all: the fewest steps over edges of any type. This is not an
 * execution order, because a capability does not come before its contents.
 */
export function connection(
  graph: KnowledgeGraph,
  from: ToolId,
  to: ToolId,
): readonly ToolId[] | undefined {
  if (!graph.has(from) || !graph.has(to)) return undefined;
  return (bidirectional(graph.model, from, to) as ToolId[] | null) ?? undefined;
}

export interface Path {
  readonly nodes: readonly [ToolId, ...ToolId[]];
  /** The sum of one over the weight of each step, so that a strong detour beats a weak shortcut. */
  readonly cost: number;
}

/** Where a search may begin or end, with its cost. */
export type PathEnds = ReadonlyMap<ToolId, number>;

/**
 * The path of the least cost. Ties always give the same path, whatever the order in which the
 * graph was built.
 */
export function strongestPath(
  index: NeighbourIndex,
  from: ToolId | PathEnds,
  to: ToolId | PathEnds,
): Path | undefined {
  const search = new Search(index, to);
  for (const [id, cost] of endsOf(from)) search.reach(index.numberOf(id), cost, NONE);
  return search.run();
}

const NONE = -1;
const ROOM = 64;

class Search {
  readonly #index: NeighbourIndex;
  readonly #targets: ReadonlyMap<number, number>;
  readonly #heap = new MinHeap();
  /** By number of the node; they grow as nodes are met that had no number yet. */
  #costs: Float64Array;
  #before: Int32Array;

  constructor(index: NeighbourIndex, to: ToolId | PathEnds) {
    this.#index = index;
    this.#targets = new Map(
      Array.from(endsOf(to), ([id, cost]) => [index.numberOf(id), cost] as const),
    );
    this.#costs = new Float64Array(index.size + ROOM).fill(Infinity);
    this.#before = new Int32Array(index.size + ROOM).fill(NONE);
  }

  reach(node: number, cost: number, before: number): void {
    if (node >= this.#costs.length) this.#grow(node);
    const known = this.#costs[node]!;
    if (known < cost) return;
    if (known === cost) {
      if (this.#isFirst(before, this.#before[node]!)) this.#before[node] = before;
      return;
    }
    this.#costs[node] = cost;
    this.#before[node] = before;
    this.#heap.push(node, cost);
  }

  run(): Path | undefined {
    let best: { readonly node: number; readonly cost: number } | undefined;
    for (;;) {
      const cost = this.#heap.leastCost;
      const node = this.#heap.pop();
      if (node === undefined || (best && cost > best.cost)) break;
      if (cost > this.#costs[node]!) continue;
      const ending = this.#targets.get(node);
      if (ending !== undefined) {
        const all = cost + ending;
        const isTie = best?.cost === all && this.#isFirst(node, best.node);
        if (!best || all < best.cost || isTie) best = { node, cost: all };
      }
      const { to, weight } = this.#index.after(node);
      for (let way = 0; way < to.length; way++) this.reach(to[way]!, cost + 1 / weight[way]!, node);
    }
    return best && { nodes: this.#wayTo(best.node), cost: best.cost };
  }

  #grow(node: number): void {
    const [costs, before] = [this.#costs, this.#before];
    this.#costs = new Float64Array(2 * node).fill(Infinity);
    this.#before = new Int32Array(2 * node).fill(NONE);
    this.#costs.set(costs);
    this.#before.set(before);
  }

  /** A beginning comes before all that is reached. */
  #isFirst(one: number, other: number): boolean {
    if (one === other || other === NONE) return false;
    return one === NONE || byCodeUnits(this.#index.idOf(one), this.#index.idOf(other)) < 0;
  }

  #wayTo(end: number): Path['nodes'] {
    const nodes: [ToolId, ...ToolId[]] = [this.#index.idOf(end)];
    for (let at = this.#before[end] ?? NONE; at !== NONE; at = this.#before[at] ?? NONE) {
      nodes.unshift(this.#index.idOf(at));
    }
    return nodes;
  }
}

function endsOf(end: ToolId | PathEnds): Iterable<readonly [ToolId, number]> {
  return typeof end === 'string' ? [[end, 0]] : end;
}
