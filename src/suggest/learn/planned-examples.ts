import { NEXT_SIGNALS } from '../next/next-signals.js';
import { PLANNED_SIGNALS, plannedSignals } from '../next/planned-signals.js';
import type { PlanExample } from './replay-plans.js';

const PLACES = PLANNED_SIGNALS.map((name) => [name, NEXT_SIGNALS.indexOf(name)] as const);

interface PlannedExamplesOptions {
  /** Member weights for an example, learned without that example. */
  readonly membersFor: (example: PlanExample) => Float64Array;
  readonly pause: () => Promise<void>;
}

/** Tells next steps what plans say that were made without knowing the answer. */
export async function withPlans(
  examples: readonly PlanExample[],
  { membersFor, pause }: PlannedExamplesOptions,
): Promise<readonly PlanExample[]> {
  const planned: PlanExample[] = [];
  for (const one of examples) {
    const weights = membersFor(one);
    const next = one.next.map((step) => {
      const options = { weights, candidates: one.members.weighed };
      const of = plannedSignals(step.done, one.evidence, options);
      const candidates = step.candidates.map((signals, at) => {
        const said = of(step.tools[at]!);
        const changed = signals.slice();
        for (const [name, place] of PLACES) changed[place] = said[name];
        return changed;
      });
      return { ...step, candidates };
    });
    planned.push({ ...one, next });
    await pause();
  }
  return planned;
}
