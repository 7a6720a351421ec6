import type { ToolId } from '../../core/index.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';

/** Where the graph is dense, meaning counts this much and the graph the rest. */
const DENSE_ALPHA = 0.5;
/** With so many neighbours the graph is trusted half as much as with any number of them. */
const HALF_TRUST_NEIGHBOURS = 2;
/** Of a node with more neighbours so many tell enough. */
const MOST_NEIGHBOURS = 32;
/** With fewer observations nothing but meaning counts. */
const FEW_OBSERVATIONS = 5;

/**
 * How much meaning counts against the graph at one node, in [0.5, 1]: half in the midst of nodes that
 * are all connected, all for a node that has no neighbours.
 */
export function localAlpha({ model }: KnowledgeGraph, id: ToolId): number {
  if (!model.hasNode(id)) return 1;
  const neighbours = model.neighbors(id).toSorted().slice(0, MOST_NEIGHBOURS);
  const count = neighbours.length;
  if (count === 0) return 1;
  const around = neighbours.flatMap((one, place) =>
    neighbours.slice(place + 1).filter((other) => model.areNeighbors(one, other)),
  );
  const density = (count + around.length) / ((count * (count + 1)) / 2);
  const trust = 1 - 2 ** (-count / HALF_TRUST_NEIGHBOURS);
  return 1 - (1 - DENSE_ALPHA) * density * trust;
}

/** The same for what was seen so often: what is hardly known is judged by its meaning alone. */
export function alphaAfter(observations: number, alpha: number): number {
  return observations < FEW_OBSERVATIONS ? 1 : alpha;
}

/** A share that `prior` is worth so many observations of. */
const PRIOR_OBSERVATIONS = FEW_OBSERVATIONS;

/** The share expected of all, when so many of the observed had it: the prior at first, then what was seen. */
export function expectedShare(had: number, observed: number, prior: number): number {
  return (had + prior * PRIOR_OBSERVATIONS) / (observed + PRIOR_OBSERVATIONS);
}
