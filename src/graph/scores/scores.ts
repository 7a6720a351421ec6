/** The four ways to score what may be useful. All of them take and give numbers in [0, 1]. */

/** A tool for an intent: what its meaning says, and what it has to do with tools in use. */
export function hybridScore(semantic: number, relatedness: number, alpha: number): number {
  return unit(alpha * semantic + (1 - alpha) * relatedness);
}

/** A capability for an intent: what its meaning says, as far as it can be relied on. */
export function capabilityScore(semantic: number, reliability: number): number {
  return unit(semantic * reliability);
}

interface NextStepSignals {
  /** How often it came next after what was just done. */
  readonly cooccurrence: number;
  /** Whether it is in the community of what was just done, or how many of those are. */
  readonly community: number;
  /** 1 for what was used just now. */
  readonly recency: number;
  /** Importance among all. */
  readonly importance: number;
}

/** As they are known: they make more than 1 together, which nothing reaches in all of them. */
const NEXT_STEP = { cooccurrence: 0.6, community: 0.3, recency: 0.1, importance: 0.1 } as const;

/** A tool as the next step after others. */
export function nextStepScore(signals: NextStepSignals): number {
  return unit(
    signals.cooccurrence * NEXT_STEP.cooccurrence +
      signals.community * NEXT_STEP.community +
      signals.recency * NEXT_STEP.recency +
      signals.importance * NEXT_STEP.importance,
  );
}

/** A capability all of whose tools are in the cluster at work is worth this many times as much. */
const CLUSTER_BOOST = 1.5;

/**
 * A capability while tools are at work: the share of its tools that were just used, more if its tools
 * are of the cluster that is at work.
 */
export function discoveryScore(overlap: number, shareInCluster: number): number {
  return unit(overlap * (1 + (CLUSTER_BOOST - 1) * shareInCluster));
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value));
}
