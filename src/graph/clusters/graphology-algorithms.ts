/**
 * Algorithms of Graphology whose typings say that they are exported by another name than they are.
 * What they really take and give is said here, and nowhere else.
 */
import louvainModule from 'graphology-communities-louvain';
import pagerankModule from 'graphology-metrics/centrality/pagerank.js';

import type { GraphModel } from '../knowledge-graph.js';

type ByNode = Readonly<Record<string, number>>;

interface PagerankOptions {
  readonly getEdgeWeight: 'weight';
  /** The search ends when all ranks together changed by less than this times the number of nodes. */
  readonly tolerance: number;
}

interface LouvainOptions {
  readonly getEdgeWeight: 'weight';
  readonly rng: () => number;
}

/** What these CommonJS modules declare is not what they export under NodeNext. */
export const pagerank = pagerankModule as unknown as (
  graph: GraphModel,
  options: PagerankOptions,
) => ByNode;

/** Cast for the same reason as `pagerank`. */
export const louvain = louvainModule as unknown as (
  graph: GraphModel,
  options: LouvainOptions,
) => ByNode;
