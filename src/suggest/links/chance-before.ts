import type { ToolId } from '../../core/index.js';
import { sigmoid } from '../../learning/index.js';
import type { PairMemory } from '../../planner/index.js';
import type { Evidence } from '../evidence.js';
import type { Mentions } from '../mentions.js';

export interface OrderEvidence {
  readonly evidence: Pick<Evidence, 'plans' | 'similar'>;
  readonly mentionOf: Mentions;
  readonly pair: Pick<PairMemory, 'inOrder' | 'ordered'>;
}

/** What like runs did counts as so many executions. */
const SIMILAR_RUNS = 8;
const MENTION = 1.5;

/** How likely the first comes before the second: as it was, as like runs did it, as the intent says. */
export function chanceBefore(
  [from, to]: readonly [ToolId, ToolId],
  { evidence, mentionOf, pair }: OrderEvidence,
): number {
  const { plans, similar } = evidence;
  let alike = 0;
  let alikeBefore = 0;
  for (const { plan, share } of similar) {
    const [first, second] = [plan.steps.indexOf(from), plan.steps.indexOf(to)];
    if (first < 0 || second < 0) continue;
    alike += share;
    if (first < second) alikeBefore += share;
  }
  const verbs = sigmoid(plans.verbLift(from, to) - plans.verbLift(to, from));
  const mention = sigmoid(4 * ((mentionOf(to) ?? 0.5) - (mentionOf(from) ?? 0.5)));
  const times = pair.inOrder + SIMILAR_RUNS * alikeBefore + verbs + MENTION * mention;
  return times / (pair.ordered + SIMILAR_RUNS * alike + 1 + MENTION);
}
