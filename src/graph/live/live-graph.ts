import {
  type Capability,
  type EdgeCounts,
  type ExecutionTrace,
  type ExperienceStore,
  type GraphDelta,
  type GraphRebuilt,
  type GraphStore,
  type Logger,
  messageOf,
  type NodeCounts,
  pause,
} from '../../core/index.js';
import { graphOf } from '../graph-of.js';
import { type GraphEdge, KnowledgeGraph } from '../knowledge-graph.js';

/** Rows applied before the event loop gets its turn. */
const TAKEN_AT_ONCE = 1_000;

interface LiveGraphOptions {
  readonly log: Logger;
  readonly capabilities: () => readonly Capability[];
}

/**
 * The graph in memory, in sync with the one in the store. The caller passes everything it adds
 * through `guard` to `add` as well, once; the rest comes by `attach`.
 */
export class LiveGraph {
  readonly graph = new KnowledgeGraph();
  readonly #options: LiveGraphOptions;
  readonly #stopping = new AbortController();
  /** One at a time: adding to the store, and loading from it. */
  readonly #adding = new Turns();
  /** One at a time, too, and others add to the store meanwhile. */
  readonly #making = new Turns();
  #attaching: Promise<void> = Promise.resolve();
  #shapes = '';
  #isShapeDue = false;
  #rebuilt: number | undefined;
  #added = 0;

  constructor(options: LiveGraphOptions) {
    this.#options = options;
  }

  /** During a rebuild, how many executions it has processed so far. */
  get rebuilding(): number | undefined {
    return this.#rebuilt;
  }

  /** How many executions were added to the store from here. */
  get added(): number {
    return this.#added;
  }

  add(traces: readonly ExecutionTrace[]): void {
    this.graph.apply(graphOf(traces));
  }

  /** Additions wait while the graph is read: they would be in both, or in neither. */
  guard(experience: ExperienceStore): ExperienceStore {
    return {
      load: (options) => experience.load(options),
      count: () => experience.count(),
      add: (...added) =>
        this.#adding.next(async () => {
          const ids = await experience.add(...added);
          this.#added += ids.length;
          return ids;
        }),
    };
  }

  /** Loads what earlier runs left. A store of a version without a graph gets one. Never rejects. */
  attach(store: GraphStore): Promise<void> {
    return (this.#attaching = this.#attach(store));
  }

  /** Resolves when the attached store is loaded, or loading failed. */
  settled(): Promise<void> {
    return this.#attaching;
  }

  async #attach(store: GraphStore): Promise<void> {
    try {
      if (!(await store.isComplete())) {
        const { executions } = await this.rebuild(store);
        this.#options.log.info('graph made from past executions', { executions });
      }
      await this.takeUp(store);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#options.log.warn('cannot read the graph', { error: messageOf(error) });
    }
  }

  /** Makes this graph equal to the stored one, whichever process added to it. */
  takeUp(store: GraphStore): Promise<void> {
    return this.#adding.next(async () => {
      const { nodes, edges } = await store.load();
      for (const part of slices(nodes)) await this.#takePart({ nodes: part, edges: [] });
      for (const part of slices(edges)) await this.#takePart({ nodes: [], edges: part });
    });
  }

  /** Rebuilds the stored graph and syncs this one. If forced, it drops forgotten executions. */
  rebuild(store: GraphStore, { isForced = false } = {}): Promise<GraphRebuilt> {
    return this.#making.next(async () => {
      this.#rebuilt = 0;
      try {
        const rebuilt = await store.rebuild(graphOf, {
          onProgress: (done) => void (this.#rebuilt = done),
          signal: this.#stopping.signal,
          keepsMore: !isForced,
        });
        if (rebuilt.differing > 0) await this.takeUp(store);
        return rebuilt;
      } finally {
        this.#rebuilt = undefined;
      }
    });
  }

  /** Soon and once, however many changes come together; uses of a capability change nothing here. */
  capabilitiesChanged(): void {
    if (this.#isShapeDue) return;
    this.#isShapeDue = true;
    setImmediate(() => {
      this.#isShapeDue = false;
      const capabilities = this.#options.capabilities();
      const shapes = JSON.stringify(
        capabilities.map(({ name, aliases, current }) => [name, aliases, current.identity]),
      );
      if (shapes === this.#shapes) return;
      this.#shapes = shapes;
      this.graph.setCapabilities(capabilities);
    });
  }

  /** Abandons long work. Resolves when nothing is running any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#making.ended();
    await this.#adding.ended();
  }

  async #takePart(stored: GraphDelta): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    this.graph.apply(lackOf(this.graph, stored));
    await pause();
  }
}

/** Runs steps one after the other, in the order they were requested. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    // The next step runs even if this one failed.
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when all requested steps are done. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

function* slices<Row>(rows: readonly Row[]): Generator<readonly Row[], void> {
  for (let start = 0; start < rows.length; start += TAKEN_AT_ONCE) {
    yield rows.slice(start, start + TAKEN_AT_ONCE);
  }
}

/** What must be added to a graph so that its counts equal the stored ones. */
function lackOf(graph: KnowledgeGraph, stored: GraphDelta): GraphDelta {
  const refused = new Map(graph.refused.map((edge) => [keyOf(edge), edge]));
  return {
    nodes: stored.nodes.flatMap((row) => lackOfNode(graph.node(row.id), row) ?? []),
    edges: stored.edges.flatMap((row) => {
      const edge = graph.edge(row.from, row.to, row.type) ?? refused.get(keyOf(row));
      return lackOfEdge(edge, row) ?? [];
    }),
  };
}

function keyOf({ from, to, type }: EdgeCounts): string {
  return JSON.stringify([from, to, type]);
}

function lackOfNode(known: NodeCounts | undefined, row: NodeCounts): NodeCounts | undefined {
  if (!known) return row;
  const lack = {
    ...row,
    calls: row.calls - known.calls,
    failures: row.failures - known.failures,
    repeats: row.repeats - known.repeats,
    runs: row.runs - known.runs,
    totalMs: row.totalMs - known.totalMs,
  };
  const { calls, failures, repeats, runs, totalMs } = lack;
  const isSame = [calls, failures, repeats, runs, totalMs].every((count) => count === 0);
  return isSame && row.lastAt <= known.lastAt ? undefined : lack;
}

function lackOfEdge(known: GraphEdge | undefined, row: EdgeCounts): EdgeCounts | undefined {
  if (!known) return row;
  const observed = row.observed - known.observed;
  const failed = row.failed - known.failed;
  if (observed === 0 && failed === 0 && row.lastAt <= known.lastAt) return undefined;
  return { ...row, observed, failed };
}
