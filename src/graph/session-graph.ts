import { type ExecutionTrace, inParts, isCapability, type ToolId } from '../core/index.js';
import type { ShapedCapability } from './capability-shape.js';
import { areInOneCommunity, importanceOf, type Metrics } from './clusters/metrics.js';
import { spectralClusters } from './clusters/spectral-clusters.js';
import { graphOf } from './graph-of.js';
import { KnowledgeGraph } from './knowledge-graph.js';
import { relatednessTo } from './scores/adamic-adar.js';
import { alphaAfter, localAlpha } from './scores/adaptive-alpha.js';
import { expandCandidates, expansionByMaturity } from './scores/expand-candidates.js';
import {
  cooccurrenceOf,
  overlapOf,
  recencyOf,
  shareInCluster,
  transitiveReliability,
} from './scores/score-signals.js';
import { capabilityScore, discoveryScore, hybridScore, nextStepScore } from './scores/scores.js';

export interface SessionGraphOptions {
  readonly graph: KnowledgeGraph;
  readonly metrics: () => Metrics;
  readonly capabilities: () => readonly ShapedCapability[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** With more calls the first ones no longer belong to the current work. */
const MOST_RECENT = 8;
const TAKEN_AT_ONCE = 500;

type Shape = KnowledgeGraph['shapes'][number];

/** What the graph says about tools after some calls. */
export class SessionGraph {
  readonly #options: SessionGraphOptions;
  #clustered: { readonly of: readonly Shape[]; readonly clusters: ReadonlyMap<ToolId, number> };
  #byId: ReadonlyMap<ToolId, Shape> = new Map();

  constructor(options: SessionGraphOptions) {
    this.#options = options;
    this.#clustered = { of: [], clusters: new Map() };
  }

  /** With the calls that were made and succeeded, newest last. */
  view(called: readonly ToolId[]) {
    const { graph, now } = this.#options;
    const metrics = this.#options.metrics();
    const recent = [...new Set(called.toReversed())].slice(0, MOST_RECENT);
    const [last] = recent;
    const used = new Set(recent);
    const relatedness = relatednessTo(graph, recent);
    const at = now();
    return {
      tools: this.#neighbours(recent, metrics),
      of: (id: ToolId, likeness: number) => ({
        // Similarity already counts by itself: this is what the graph adds to it.
        related: recent.length === 0 ? 0 : hybridScore(0, relatedness(id), this.#alpha(id)),
        next: last === undefined ? 0 : this.#next(last, id, { metrics, at }),
        ...(isCapability(id) && this.#ofCapability(id, { used, likeness })),
      }),
    };
  }

  /** The view without some executions, with the current capabilities and metrics. */
  async without(
    isLeftOut: (trace: ExecutionTrace) => boolean,
    {
      traces,
      pause,
    }: { readonly traces: Iterable<ExecutionTrace>; readonly pause: () => Promise<void> },
  ): Promise<SessionGraph> {
    const graph = new KnowledgeGraph();
    for (const some of inParts(traces, TAKEN_AT_ONCE)) {
      graph.apply(graphOf(some.filter((trace) => !isLeftOut(trace))));
      await pause();
    }
    graph.setCapabilities(this.#options.capabilities());
    return new SessionGraph({ ...this.#options, graph });
  }

  /** The denser the graph the more of them: a young one has nothing to add to what meaning finds. */
  #neighbours(recent: readonly ToolId[], { density }: Metrics): readonly ToolId[] {
    if (recent.length === 0) return [];
    const factor = expansionByMaturity(density);
    const limit = Math.max(recent.length, MOST_RECENT);
    const all = expandCandidates(this.#options.graph, recent, { limit, factor });
    return all.slice(recent.length);
  }

  /** How much meaning counts against the graph: fully where little was seen. */
  #alpha(id: ToolId): number {
    const { graph } = this.#options;
    const observations = graph.node(id)?.calls ?? 0;
    return alphaAfter(observations, observations === 0 ? 1 : localAlpha(graph, id));
  }

  #next(last: ToolId, id: ToolId, { metrics, at }: { metrics: Metrics; at: number }): number {
    const { graph } = this.#options;
    const cooccurrence = cooccurrenceOf(graph, last, id);
    const community = areInOneCommunity(metrics, last, id) ? 1 : 0;
    // A tool unrelated to the last call does not come next just because it is used a lot.
    if (last === id || (cooccurrence === 0 && community === 0)) return 0;
    return nextStepScore({
      cooccurrence,
      community,
      recency: recencyOf(graph.node(id)?.lastAt ?? 0, at),
      importance: importanceOf(metrics, id),
    });
  }

  #ofCapability(
    id: ToolId,
    { used, likeness }: { readonly used: ReadonlySet<ToolId>; readonly likeness: number },
  ) {
    const { graph } = this.#options;
    const clusters = this.#clusters();
    const tools = this.#byId.get(id)?.calls ?? [];
    const overlap = overlapOf(tools, used);
    return {
      overlap: discoveryScore(overlap, shareInCluster(clusters, tools, used)),
      capability: capabilityScore(likeness, transitiveReliability(graph, id)),
    };
  }

  /** Recomputed only when capabilities changed. */
  #clusters(): ReadonlyMap<ToolId, number> {
    const { graph, capabilities } = this.#options;
    if (this.#clustered.of !== graph.shapes) {
      this.#clustered = { of: graph.shapes, clusters: spectralClusters(capabilities()) };
      this.#byId = new Map(graph.shapes.map((shape) => [shape.id, shape]));
    }
    return this.#clustered.clusters;
  }
}
