import { type Logger, messageOf } from '../../core/index.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { type Metrics, metricsInStages, NO_METRICS } from './metrics.js';

export interface GraphMetricsOptions {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Yields to other work, for at least so long. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Logger;
  /** Between two computations. */
  readonly leastMs?: number;
  /** Of all nodes and edges, the share that must have changed. */
  readonly changedShare?: number;
}

/** Big graphs take most of a second, and one execution hardly changes the metrics of the whole. */
const LEAST_MS = 30_000;
const CHANGED_SHARE = 0.05;

/**
 * Metrics without waiting: a reader gets those computed last, and reading them starts a new
 * computation in the background when the graph has changed enough.
 */
export class GraphMetrics {
  readonly #graph: KnowledgeGraph;
  readonly #options: GraphMetricsOptions;
  #last = NO_METRICS;
  #lastAt = -Infinity;
  #isComputing = false;

  constructor(graph: KnowledgeGraph, options: GraphMetricsOptions) {
    this.#graph = graph;
    this.#options = options;
  }

  /** The last computed metrics; empty before the first computation. */
  get current(): Metrics {
    if (!this.#isComputing && this.#isOutdated()) void this.#renew();
    return this.#last;
  }

  #isOutdated(): boolean {
    const { nodes, edges } = this.#graph.size;
    const changed = this.#graph.version - this.#last.version;
    const share = this.#options.changedShare ?? CHANGED_SHARE;
    return changed > 0 && changed >= share * (nodes + edges);
  }

  /** Never rejects: the last metrics are still good enough. */
  async #renew(): Promise<void> {
    const { now, pause, log, leastMs = LEAST_MS } = this.#options;
    this.#isComputing = true;
    try {
      await pause(Math.max(0, this.#lastAt + leastMs - now()));
      this.#last = await this.#compute();
    } catch (error) {
      log.warn('metrics of the graph were not computed', { error: messageOf(error) });
    } finally {
      this.#lastAt = now();
      this.#isComputing = false;
    }
  }

  async #compute(): Promise<Metrics> {
    const stages = metricsInStages(this.#graph);
    for (;;) {
      const { done, value } = stages.next();
      if (done) return value;
      await this.#options.pause(0);
    }
  }
}
