import type { ToolId } from '../../core/index.js';
import { weigh } from '../../learning/index.js';
import type { Evidence } from '../evidence.js';
import { addedBy, type FeatureWeights, nextFeatures } from '../feature-scores.js';
import { NEXT_SIGNALS, type NextPorts, nextSignals } from './next-signals.js';
import { PLANNED_SIGNALS, plannedSignals } from './planned-signals.js';

export interface NextStep {
  readonly tool: ToolId;
  /** That it is called next, if anything is. */
  readonly probability: number;
  readonly signals: Readonly<Record<string, number>>;
}

export interface NextOptions extends NextPorts {
  /** One for each of `NEXT_SIGNALS`. */
  readonly weights: Float64Array;
  /** The weights of members of a plan: steps of the plan are likely next steps. */
  readonly members: Float64Array;
  /** How much trace features count, where they proved useful. */
  readonly features?: FeatureWeights['next'];
}

/** Plans take time: they are made only where they count. */
const PLANNED = PLANNED_SIGNALS.map((name) => NEXT_SIGNALS.indexOf(name));

/** What is called next after `done`, likeliest first. */
export function predictNext(
  done: readonly ToolId[],
  evidence: Evidence,
  { weights, members, features, ...ports }: NextOptions,
): readonly NextStep[] {
  const added = addedBy(features, () => nextFeatures(done, evidence));
  const planned = PLANNED.some((at) => (weights[at] ?? 0) !== 0)
    ? plannedSignals(done, evidence, { weights: members })
    : undefined;
  const scored = nextSignals(done, evidence, { ...ports, planned }).map(({ tool, signals }) => {
    return { tool, signals, score: weigh(signals, weights) + (added?.(tool) ?? 0) };
  });
  const best = scored.reduce((most, { score }) => Math.max(most, score), -Infinity);
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - best), 0);
  return scored
    .map(({ tool, signals, score }) => ({
      tool,
      probability: Math.exp(score - best) / total,
      signals: Object.fromEntries(NEXT_SIGNALS.map((name, at) => [name, signals[at]!])),
    }))
    .toSorted((a, b) => b.probability - a.probability || (a.tool < b.tool ? -1 : 1));
}
