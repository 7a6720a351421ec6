import type { IntentLikeness } from './likeness.js';

/** How near some texts are in meaning; nothing where no model can tell. */
export type CompareIntents = (
  texts: readonly string[],
) => Promise<{ readonly likeness?: IntentLikeness }>;

/** Intents whose comparison is kept. */
const MOST_INTENTS = 64;
/** Past intents that a new one is compared with. */
const MOST_OTHERS = 15;

interface IntentMeaningsOptions {
  readonly compare: CompareIntents;
  /** Newest first. */
  readonly recent: (most: number) => readonly string[];
  /** A comparison failed: words decide. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Compares an intent with recent ones by meaning, once and in the background: a prediction never waits
 * for the model. Until the model has told, likeness is undefined.
 */
export class IntentMeanings {
  readonly #options: IntentMeaningsOptions;
  readonly #known = new Map<string, ReadonlyMap<string, number>>();
  #comparing: Promise<void> = Promise.resolve();
  #isComparing = false;

  constructor(options: IntentMeaningsOptions) {
    this.#options = options;
  }

  readonly likeness: IntentLikeness = (one, other) =>
    this.#known.get(one)?.get(other) ?? this.#known.get(other)?.get(one);

  /** Starts the comparison of an intent that is new. One at a time; others are left to words. */
  notice(intent: string): void {
    if (intent === '' || this.#isComparing || this.#known.has(intent)) return;
    const others = this.#options.recent(MOST_OTHERS).filter((other) => other !== intent);
    if (others.length === 0) return;
    this.#isComparing = true;
    this.#comparing = this.#compare(intent, others)
      .catch((error: unknown) => this.#options.onFailed(error))
      .finally(() => (this.#isComparing = false));
  }

  settled(): Promise<void> {
    return this.#comparing;
  }

  clear(): void {
    this.#known.clear();
  }

  async #compare(intent: string, others: readonly string[]): Promise<void> {
    const { likeness } = await this.#options.compare([intent, ...others]);
    const found = others.flatMap((other) => {
      const near = likeness?.(intent, other);
      return near === undefined ? [] : [[other, near] as const];
    });
    this.#known.set(intent, new Map(spread(found)));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_INTENTS && oldest !== undefined) this.#known.delete(oldest);
  }
}

/**
 * Models call unrelated texts fairly near, each to another degree: what is as near as the middle one of
 * the others is not near at all.
 */
function spread(
  found: readonly (readonly [string, number])[],
): readonly (readonly [string, number])[] {
  const sorted = found.map(([, near]) => near).toSorted((a, b) => a - b);
  const middle = Math.min(0.999, sorted[Math.floor((sorted.length - 1) / 2)] ?? 0);
  // With a few texts the middle one may be a near one.
  if (sorted.length < 3) return [];
  return found.map(
    ([other, near]) => [other, Math.max(0, (near - middle) / (1 - middle))] as const,
  );
}
