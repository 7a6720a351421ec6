import type { Task } from '../core/index.js';
import type { ParsedPlan } from '../plan/index.js';
import type { CompletedPlan } from './flow/complete-plan.js';

/** Completes tasks. The results of `existing` tasks may be sources. */
export type CompleteBeside<Completed extends CompletedPlan> = (
  plan: ParsedPlan,
  existing: readonly Task[],
) => Completed;

/**
 * Completes tasks that join a run. The new tasks first take values from each other; only then do they
 * take results that the run already has. If a new task calls a tool again, it wants the new result, so
 * the old result of that tool is no source.
 */
export function completeAdded<Completed extends CompletedPlan>(
  asked: ParsedPlan,
  existing: readonly Task[],
  complete: CompleteBeside<Completed>,
): Completed {
  const alone = complete(asked, []);
  const called = new Set(asked.tasks.map(({ tool }) => tool));
  const old = existing.filter(({ tool }) => !called.has(tool));
  if (alone.holes.length === 0 || old.length === 0) return alone;
  const both = complete({ ...asked, tasks: alone.plan.tasks }, old);
  return {
    ...both,
    bindings: [...alone.bindings, ...both.bindings],
    ambiguous: [...alone.ambiguous, ...both.ambiguous],
    broken: [...alone.broken, ...both.broken],
  };
}
