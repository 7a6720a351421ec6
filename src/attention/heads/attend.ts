import type { ToolId } from '../../core/index.js';
import { weigh } from '../../learning/index.js';
import type { Incidence } from '../hypergraph/hypergraph.js';
import type { HeadName } from '../hypergraph/run-edge.js';

/** A tool that a head may attend to, with what discovery says of it. */
export interface Attendable {
  readonly tool: ToolId;
  /** Missing where nothing was weighed: the head leaves the tool out. */
  readonly signals?: Float64Array;
}

/** A tool and the share of the attention of a head that it gets. */
export interface Attended {
  readonly tool: ToolId;
  readonly share: number;
}

/** The signals that a head adds to those of discovery. In this order. */
export const ANCHOR_SIGNALS = [
  /** The share of the runs with the tool in which it was the right answer of the head. */
  'anchorShare',
  /** How many runs these were, as a logarithm. */
  'anchorTimes',
] as const;

/** Doubts a share of few runs. */
const DOUBT = 1;

/** What speaks for each tool being the right answer of a head. */
export function headSignals(
  head: HeadName,
  signals: Float64Array,
  tool: ToolId,
  runs: Incidence,
): Float64Array {
  const times = runs.anchored(head, tool);
  const values: Record<(typeof ANCHOR_SIGNALS)[number], number> = {
    anchorShare: times / (runs.uses(tool) + DOUBT),
    anchorTimes: Math.log1p(times),
  };
  const all = new Float64Array(signals.length + ANCHOR_SIGNALS.length);
  all.set(signals);
  ANCHOR_SIGNALS.forEach((name, at) => (all[signals.length + at] = values[name]));
  return all;
}

/** The head asks its question: a softmax over the tools, most attended first. */
export function attend(
  head: HeadName,
  weights: Float64Array,
  tools: readonly Attendable[],
  runs: Incidence,
): readonly Attended[] {
  const scored = tools.flatMap(({ tool, signals }) => {
    if (!signals) return [];
    return [{ tool, score: weigh(headSignals(head, signals, tool, runs), weights) }];
  });
  const best = scored.reduce((most, { score }) => Math.max(most, score), -Infinity);
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - best), 0);
  return scored
    .map(({ tool, score }) => ({ tool, share: Math.exp(score - best) / total }))
    .toSorted((one, other) => other.share - one.share || (one.tool < other.tool ? -1 : 1));
}
