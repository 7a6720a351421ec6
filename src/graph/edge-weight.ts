import type { EdgeCounts, EdgeType } from '../core/index.js';

/**
 * Where an edge is known from: `observed` often, `inferred` from few executions, or only a `template`,
 * which is in the code of a capability but was not seen happening.
 */
export type EdgeSource = 'observed' | 'inferred' | 'template';

/** How much edges are worth. All that can be tuned about it is here. */
export interface EdgeWeights {
  readonly type: Readonly<Record<EdgeType, number>>;
  readonly source: Readonly<Record<EdgeSource, number>>;
  /** From so many executions on that worked it counts as observed. */
  readonly observedFrom: number;
}

export const EDGE_WEIGHTS: EdgeWeights = {
  type: { dependency: 1, contains: 0.8, provides: 0.7, sequence: 0.5, alternative: 0.3 },
  source: { observed: 1, inferred: 0.7, template: 0.5 },
  observedFrom: 3,
};

type Seen = Pick<EdgeCounts, 'observed' | 'failed'>;

/** Only what worked promotes an edge; what failed makes it less reliable. */
export function edgeSource({ observed, failed }: Seen, { observedFrom }: EdgeWeights): EdgeSource {
  if (observed >= observedFrom) return 'observed';
  return observed + failed > 0 ? 'inferred' : 'template';
}

/** In (0, 1]. */
export function edgeWeight(
  { observed, failed, type }: Seen & Pick<EdgeCounts, 'type'>,
  weights: EdgeWeights,
): number {
  const source = edgeSource({ observed, failed }, weights);
  const reliability = (observed + 1) / (observed + failed + 1);
  return weights.type[type] * weights.source[source] * reliability;
}
