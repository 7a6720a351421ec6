/**
 * Where the value of an argument came from. Somebody wrote it, or a reference to it (`given`); PML took
 * it from the result of another task (`inferred`), from the words of the request (`literal`), from what
 * past runs had (`past`), from the schema (`default`), or from the example a capability was learned
 * from (`lifted default`).
 */
export type ArgumentSource =
  | 'given'
  | 'inferred'
  | 'literal'
  | 'past'
  | 'default'
  | 'lifted default';

export type GuessSource = Exclude<ArgumentSource, 'given'>;

/**
 * How somebody agreed to a guess: a person or an agent approved the call with its value shown, or the
 * agent ran a suggested plan as it was after seeing it. The second says less.
 */
export type Confirmation = 'approved' | 'seen';

/** A value that nobody wrote: PML filled it in. */
export interface Guess {
  readonly source: GuessSource;
  /** How likely it is meant, from 0 to 1; 1 where the schema leaves no choice. */
  readonly score: number;
  /** Why, in words. */
  readonly because: string;
  /** Set once somebody agreed to it. */
  readonly confirmed?: Confirmation;
}

/** By the path of the parameter, such as `city` or `options.unit`. What is not named was given. */
export type Guesses = Readonly<Record<string, Guess>>;

/** Where the value of a past call came from, without the words. */
export interface Origin {
  readonly source: ArgumentSource;
  readonly confirmed?: Confirmation;
}

/** A value the schema leaves no choice about is no guess that could be wrong. */
export function isCertain({ source, score }: Guess): boolean {
  return source === 'default' && score === 1;
}
