import type { ToolId } from '../../core/index.js';
import { CountRow } from './count-row.js';
import { HEAD_NAMES, type HeadName, type RunEdge } from './run-edge.js';

/** What runs tell about tools that were called together, with or without some of the runs. */
export interface Incidence {
  /** The number of runs that called a tool. */
  uses(tool: ToolId): number;
  /** The number of runs in which a tool was the right answer of a head. */
  anchored(head: HeadName, tool: ToolId): number;
  /** The tools of the runs in which `anchor` was the right answer of a head, and how many runs each. */
  eachWith(head: HeadName, anchor: ToolId, visit: (tool: ToolId, runs: number) => void): void;
}

interface HeadCounts {
  readonly anchored: CountRow;
  readonly company: Map<number, CountRow>;
}

/**
 * Tools are nodes, runs are edges over all their tools. For each head it counts which tools came with
 * which right answer, so that an answer votes for its company without a look at the runs.
 */
export class Hypergraph implements Incidence {
  readonly #places = new Map<ToolId, number>();
  readonly #tools: ToolId[] = [];
  readonly #uses = new CountRow();
  readonly #heads: Readonly<Record<HeadName, HeadCounts>> = {
    about: emptyCounts(),
    begins: emptyCounts(),
    ends: emptyCounts(),
  };
  #edges = 0;

  /** The number of runs. */
  get size(): number {
    return this.#edges;
  }

  /** Costs the square of the number of its tools, however many runs there are. */
  add(edge: RunEdge): void {
    this.#count(edge, 1);
  }

  /** Undoes `add` of an equal edge. */
  remove(edge: RunEdge): void {
    this.#count(edge, -1);
  }

  uses(tool: ToolId): number {
    const place = this.#places.get(tool);
    return place === undefined ? 0 : this.#uses.get(place);
  }

  anchored(head: HeadName, tool: ToolId): number {
    const place = this.#places.get(tool);
    return place === undefined ? 0 : this.#heads[head].anchored.get(place);
  }

  eachWith(head: HeadName, anchor: ToolId, visit: (tool: ToolId, runs: number) => void): void {
    const place = this.#places.get(anchor);
    const row = place === undefined ? undefined : this.#heads[head].company.get(place);
    row?.forEach((other, runs) => visit(this.#tools[other]!, runs));
  }

  /** The same as if these runs had never been, by subtraction. Later runs count in both. */
  without(edges: Iterable<RunEdge>): Incidence {
    const gone = new Hypergraph();
    for (const edge of edges) gone.add(edge);
    if (gone.size === 0) return this;
    return {
      uses: (tool) => this.uses(tool) - gone.uses(tool),
      anchored: (head, tool) => this.anchored(head, tool) - gone.anchored(head, tool),
      eachWith: (head, anchor, visit) => {
        const less = new Map<ToolId, number>();
        gone.eachWith(head, anchor, (tool, runs) => less.set(tool, runs));
        this.eachWith(head, anchor, (tool, runs) => {
          const left = runs - (less.get(tool) ?? 0);
          if (left > 0) visit(tool, left);
        });
      },
    };
  }

  #count({ tools, anchors }: RunEdge, by: 1 | -1): void {
    const places = tools.map((tool) => this.#placeOf(tool));
    for (const place of places) this.#uses.add(place, by);
    for (const head of HEAD_NAMES) {
      const { anchored, company } = this.#heads[head];
      for (const anchor of anchors[head]) {
        const own = this.#placeOf(anchor);
        anchored.add(own, by);
        const row = company.get(own) ?? new CountRow();
        for (const place of places) row.add(place, by);
        if (row.size > 0) company.set(own, row);
        else company.delete(own);
      }
    }
    this.#edges += by;
  }

  #placeOf(tool: ToolId): number {
    const known = this.#places.get(tool);
    if (known !== undefined) return known;
    const place = this.#tools.length;
    this.#places.set(tool, place);
    this.#tools.push(tool);
    return place;
  }
}

function emptyCounts(): HeadCounts {
  return { anchored: new CountRow(), company: new Map() };
}
