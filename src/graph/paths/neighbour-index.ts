import type { EdgeType, ToolId } from '../../core/index.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';

/** A way to a node, with a weight in (0, 1]. */
export type EdgeWay = readonly [to: ToolId, weight: number];

/** The nodes that follow one, by number, each once with its strongest weight. */
export interface Neighbours {
  readonly to: readonly number[];
  readonly weight: readonly number[];
}

interface Row extends Neighbours {
  readonly version: number;
  /** The version of all when it was last found to be right. */
  checkedAt: number;
}

/** Where ways lead from each node. */
export interface Ways {
  from(id: ToolId): Iterable<EdgeWay>;
  /** Grows when what `from` gives for any node changes. */
  readonly version: number;
  /** Grows when what `from` gives for the node changes. */
  versionOf(id: ToolId): number;
}

/**
 * Ways as arrays of numbers, which searches go through much faster than through a graph of objects.
 * Each node is read when a search first meets it, and again when it has changed since: a graph that
 * grows between two searches costs only what grew.
 */
export class NeighbourIndex {
  readonly #ways: Ways;
  readonly #numbers = new Map<ToolId, number>();
  readonly #ids: ToolId[] = [];
  readonly #rows: (Row | undefined)[] = [];

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  /** How many numbers were given. */
  get size(): number {
    return this.#ids.length;
  }

  numberOf(id: ToolId): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#ids.length;
    this.#ids.push(id);
    this.#rows.push(undefined);
    this.#numbers.set(id, number);
    return number;
  }

  idOf(number: number): ToolId {
    const id = this.#ids[number];
    if (id === undefined) throw new RangeError(`Expected the number of a node, got ${number}`);
    return id;
  }

  after(number: number): Neighbours {
    const row = this.#rows[number];
    const checkedAt = this.#ways.version;
    if (row?.checkedAt === checkedAt) return row;
    const id = this.idOf(number);
    const version = this.#ways.versionOf(id);
    if (row?.version === version) {
      row.checkedAt = checkedAt;
      return row;
    }
    const strongest = new Map<number, number>();
    for (const [to, weight] of this.#ways.from(id)) {
      const other = this.numberOf(to);
      if ((strongest.get(other) ?? 0) < weight) strongest.set(other, weight);
    }
    const read: Row = {
      to: [...strongest.keys()],
      weight: [...strongest.values()],
      version,
      checkedAt,
    };
    this.#rows[number] = read;
    return read;
  }
}

/** Edges along which one thing comes after another; what a capability contains has no order. */
export const FLOW: readonly EdgeType[] = ['dependency', 'provides', 'sequence'];

/** The edges of a graph as ways. */
export function waysOf(graph: KnowledgeGraph, types: readonly EdgeType[] = FLOW): Ways {
  return {
    get version() {
      return graph.version;
    },
    from: (id) => graph.out(id, types).map(({ to, weight }): EdgeWay => [to, weight]),
    versionOf: (id) => graph.changedAt(id),
  };
}
