import { canonicalJson, type Guess, isCertain, type Task, type ToolId } from '../../core/index.js';
import type { ArgumentMemory } from './argument-memory.js';
import { valueAt } from './fill-nested.js';
import type { FilledPlan } from './fill-plan.js';

/** What past requests said of their arguments. */
type SaidBefore = Pick<ArgumentMemory, 'said'>;

/**
 * As if in so many runs the value had stood in the request as often as its score claims. On recorded
 * runs 4 to 16 are equally good (`npm run bench -- values`).
 */
const HELD_BY = 8;

/**
 * The probability that every argument that PML filled into a plan is what was wanted, as if the guesses
 * were independent. A hole is no guess: the agent fills it.
 */
export function argumentConfidence({ plan }: Pick<FilledPlan, 'plan'>, past?: SaidBefore): number {
  return guessedChances(plan.tasks, past).reduce((product, chance) => product * chance, 1);
}

/**
 * The chance of each guess. One value of the same origin is one guess: if `Vienna` is the right city
 * for one task, it is the right city for all of them.
 */
function guessedChances(tasks: readonly Task[], past: SaidBefore | undefined): readonly number[] {
  const chances = new Map<string, number>();
  for (const { tool, args, guessed = {} } of tasks) {
    for (const [param, guess] of Object.entries(guessed)) {
      const key = `${guess.source} ${canonicalJson(valueAt(args, param) ?? null)}`;
      const chance = chanceOf(guess, { tool, param, past });
      chances.set(key, Math.min(chances.get(key) ?? 1, chance));
    }
  }
  return [...chances.values()];
}

interface Place {
  readonly tool: ToolId;
  readonly param: string;
  readonly past: SaidBefore | undefined;
}

/** A value that the user approved is no longer a guess. */
function chanceOf(guess: Guess, { tool, param, past }: Place): number {
  if (isCertain(guess) || guess.confirmed === 'approved') return 1;
  if (guess.source !== 'literal' || !past) return guess.score;
  // A parameter whose values users never wrote into a request hardly gets one from this request.
  const { runs, said } = past.said(tool, param);
  return (guess.score * HELD_BY + said) / (HELD_BY + runs);
}
