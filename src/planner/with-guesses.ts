import { type Guess, isCapability, type Task } from '../core/index.js';

/** PML cannot know how often the next request wants the example of a capability. */
const EXAMPLE_SCORE = 0.5;

/** A guess and its parameter. */
export interface PlacedGuess extends Pick<Guess, 'source' | 'score' | 'because'> {
  readonly param: string;
}

/** The task with these parameters marked as guesses of PML. */
export function withGuesses<Call extends Pick<Task, 'guessed'>>(
  task: Call,
  guesses: readonly PlacedGuess[],
): Call {
  if (guesses.length === 0) return task;
  const own = guesses.map(({ param, source, score, because }) => {
    return [param, { source, score, because }] as const;
  });
  return { ...task, guessed: { ...task.guessed, ...Object.fromEntries(own) } };
}

/**
 * The schema of a tool declares its default. The default of a capability is only its first example.
 */
export function defaultGuess({ tool }: Pick<Task, 'tool'>, param: string): PlacedGuess {
  return isCapability(tool)
    ? {
        param,
        source: 'lifted default',
        score: EXAMPLE_SCORE,
        because: 'the capability was learned with this value',
      }
    : { param, source: 'default', score: 1, because: 'the schema declares this default' };
}
