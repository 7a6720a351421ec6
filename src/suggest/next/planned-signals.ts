import type { ToolId } from '../../core/index.js';
import { sigmoid, weigh } from '../../learning/index.js';
import type { Evidence } from '../evidence.js';
import { chanceBefore } from '../links/chance-before.js';
import { type MemberCandidate, memberSignals } from '../members/member-signals.js';
import { mentionsIn } from '../mentions.js';

/** What the plan for the request says about the next step. */
export const PLANNED_SIGNALS = [
  /** How likely the tool is part of the plan, as a logarithm. */
  'member',
  /** Below 0: how many steps of the plan that are not done yet come before the tool. */
  'turn',
] as const;

export type PlannedSignals = Readonly<Record<(typeof PLANNED_SIGNALS)[number], number>>;

/** Members that are less likely than this do not hold up others. */
const LEAST_LIKELY = 0.05;
const MOST_OPEN = 12;
const LEAST_MEMBER = 0.003;
/** Added to logarithms, so that a tool that is not in the plan is near 0. */
const RAISED = 6;

export interface PlannedOptions {
  /** One weight for each signal of a member. */
  readonly weights: Float64Array;
  /** The candidates of the plan, if they are known already. */
  readonly candidates?: readonly MemberCandidate[];
}

/** What the plan says about each tool, after the steps that are done. */
export function plannedSignals(
  done: readonly ToolId[],
  evidence: Evidence,
  { weights, candidates = memberSignals(evidence) }: PlannedOptions,
): (tool: ToolId) => PlannedSignals {
  const chance = new Map(
    candidates.map(({ tool, signals }) => [tool, sigmoid(weigh(signals, weights))]),
  );
  const isDone = new Set(done);
  const open = [...chance]
    .filter(([tool, probability]) => !isDone.has(tool) && probability >= LEAST_LIKELY)
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, MOST_OPEN);
  const { pairs } = evidence;
  const mentionOf = mentionsIn(evidence, [...chance.keys(), ...done]);
  return (tool) => {
    const probability = chance.get(tool) ?? 0;
    const before = open.reduce((sum, [other, wanted]) => {
      if (other === tool) return sum;
      const pair = pairs.pair(other, tool);
      return sum + wanted * chanceBefore([other, tool], { evidence, mentionOf, pair });
    }, 0);
    return { member: Math.log(probability + LEAST_MEMBER) + RAISED, turn: -before };
  };
}
