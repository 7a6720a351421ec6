/**
 * Where the value of an argument came from. The agent or user wrote it or a reference to it
 * (`given`); PML took it from another task's result (`inferred`), from the request (`literal`),
 * from past runs (`past`), from the schema (`default`), or from the example that a capability was
 * learned from (`lifted default`).
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
 * How a guess was confirmed: a person or an agent approved the call with its value shown, or the
 * agent ran a suggested plan unchanged after seeing it. The second is weaker evidence.
 */
export type Confirmation = 'approved' | 'seen';

/** A value that PML filled in. */
export interface Guess {
  readonly source: GuessSource;
  /** How likely it is meant, from 0 to 1; 1 where the schema leaves no choice. */
  readonly score: number;
  /** Why, in words. */
  readonly because: string;
  /** Set once the user or agent confirmed it. */
  readonly confirmed?: Confirmation;
}

/** By the path of the parameter, such as `city` or `options.unit`. What is not named was given. */
export type Guesses = Readonly<Record<string, Guess>>;

/** Where the value of a past call came from, without the words. */
export interface Origin {
  readonly source: ArgumentSource;
  readonly confirmed?: Confirmation;
}

/** A value that the schema dictates is not a guess that could be wrong. */
export function isCertain({ source, score }: Guess): boolean {
  return source === 'default' && score === 1;
}
