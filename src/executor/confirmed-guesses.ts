import type { Guesses, TaskState } from '../core/index.js';

/**
 * What PML filled into a task, and how far the user agreed to it. An approval shows a call with its
 * arguments; an approval of a task that could not be called yet showed none.
 */
export function confirmedGuesses({
  task: { guessed },
  isApproved,
  approvedArgs,
}: TaskState): Guesses | undefined {
  if (!guessed || !isApproved || approvedArgs === undefined) return guessed;
  return Object.fromEntries(
    Object.entries(guessed).map(([param, guess]) => [param, { ...guess, confirmed: 'approved' }]),
  );
}
