import { canonicalJson, type Guess, isCertain } from '../../core/index.js';
import { valueAt } from './fill-nested.js';
import type { FilledPlan } from './fill-plan.js';

/**
 * The probability that every argument of a filled plan is what was wanted. A hole makes it 0: the plan
 * cannot run. Guesses count as independent, except that one value of the same origin is one guess: if
 * `Vienna` is the right city for one task, it is the right city for all of them.
 */
export function argumentConfidence({ plan, holes }: FilledPlan): number {
  if (holes.length > 0) return 0;
  const chances = new Map<string, number>();
  for (const { args, guessed = {} } of plan.tasks) {
    for (const [param, guess] of Object.entries(guessed)) {
      const key = `${guess.source} ${canonicalJson(valueAt(args, param) ?? null)}`;
      chances.set(key, Math.min(chances.get(key) ?? 1, chanceOf(guess)));
    }
  }
  return [...chances.values()].reduce((product, chance) => product * chance, 1);
}

/** A value that the user approved is no longer a guess. */
function chanceOf(guess: Guess): number {
  return isCertain(guess) || guess.confirmed === 'approved' ? 1 : guess.score;
}
