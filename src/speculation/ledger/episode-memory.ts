import type { Episode, ToolId } from '../../core/index.js';
import { type IntentLikeness, likenessOf, type Moment, momentOf } from './likeness.js';

/** Compared for one prediction at most; the newest. */
const MOST_COMPARED = 100;
/** Less alike situations say nothing. */
const LEAST_LIKENESS = 0.5;
/** What happened so long ago counts half. */
const HALF_LIFE_MS = 14 * 24 * 3_600_000;
/** As if so many episodes had confirmed the prediction as it is. */
const NEUTRAL = 4;
const CERTAIN = 0.99;
/**
 * A prediction does not know the outcomes of others that were made so shortly before it. Without this,
 * two predictions for one call would prove each other right.
 */
const SETTLED_AFTER_MS = 60_000;
/** The same prediction on two rungs is made within this time, and counts once. */
const SAME_MOMENT_MS = 1_000;

interface Remembered {
  readonly episode: Episode;
  readonly moment: Moment;
}

/** What past episodes say of a prediction. */
export interface Correction {
  readonly confidence: number;
  /** How many were like it, and how often exactly the predicted call came in them. */
  readonly alike: number;
  readonly right: number;
}

export interface EpisodeMemoryOptions {
  readonly capacity: number;
  readonly byMeaning: IntentLikeness;
}

/** The newest episodes, found by the predicted tool and compared by situation. */
export class EpisodeMemory {
  readonly #options: EpisodeMemoryOptions;
  readonly #all = new Map<string, Episode>();
  readonly #byTool = new Map<ToolId, Remembered[]>();

  constructor(options: EpisodeMemoryOptions) {
    this.#options = options;
  }

  /** Episodes come in the order of time. */
  add(episode: Episode): void {
    if (this.#all.has(episode.id)) return;
    this.#all.set(episode.id, episode);
    // A server is started without arguments: whether they would have been right is not known.
    if (episode.rung !== 'warm') this.#index(episode);
    const [oldest] = this.#all.keys();
    if (this.#all.size > this.#options.capacity && oldest !== undefined) this.#all.delete(oldest);
  }

  /** Oldest first. */
  get episodes(): Iterable<Episode> {
    return this.#all.values();
  }

  get size(): number {
    return this.#all.size;
  }

  clear(): void {
    this.#all.clear();
    this.#byTool.clear();
  }

  /** The distinct intents of the newest episodes, newest first. */
  recentIntents(most: number): readonly string[] {
    const intents = new Set<string>();
    for (const { intent } of [...this.#all.values()].toReversed()) {
      if (intent !== '') intents.add(intent);
      if (intents.size >= most) break;
    }
    return [...intents];
  }

  /**
   * How sure a prediction may be in this situation: what was claimed in situations like it, against
   * what came, moves the claim. The nearer and the newer an episode, the more it counts.
   */
  correct(
    moment: Moment,
    predicted: ToolId,
    { claimed, at }: { claimed: number; at: number },
  ): Correction {
    let [error, weight, alike, right] = [0, 0, 0, 0];
    for (const { episode, moment: past } of this.#byTool.get(predicted) ?? []) {
      if (at - episode.at.getTime() < SETTLED_AFTER_MS) continue;
      const likeness = likenessOf(moment, past, this.#options.byMeaning);
      if (likeness < LEAST_LIKENESS) continue;
      const age = at - episode.at.getTime();
      const counts = likeness ** 2 * 2 ** (-age / HALF_LIFE_MS);
      const came = episode.outcome === 'exact' ? 1 : 0;
      error += counts * (came - claimOf(episode));
      weight += counts;
      alike += 1;
      right += came;
    }
    const moved = claimed + error / (NEUTRAL + weight);
    // What nothing speaks about stays exactly as it was.
    const confidence = alike === 0 ? claimed : Math.max(1 - CERTAIN, Math.min(CERTAIN, moved));
    return { confidence, alike, right };
  }

  #index(episode: Episode): void {
    const { client, intent, last, predicted } = episode;
    const own = this.#byTool.get(predicted) ?? [];
    if (own.some((past) => isSamePrediction(past.episode, episode))) return;
    own.push({ episode, moment: momentOf(client, intent, last) });
    if (own.length > MOST_COMPARED) own.shift();
    // The tool that was predicted least recently goes first.
    this.#byTool.delete(predicted);
    this.#byTool.set(predicted, own);
    const [stale] = this.#byTool.keys();
    if (this.#byTool.size > this.#options.capacity && stale !== undefined)
      this.#byTool.delete(stale);
  }
}

function isSamePrediction(past: Episode, episode: Episode): boolean {
  const apartMs = Math.abs(episode.at.getTime() - past.at.getTime());
  return (
    apartMs < SAME_MOMENT_MS && past.client === episode.client && past.intent === episode.intent
  );
}

/** What the predictor had said. */
export function claimOf({ claimed, confidence }: Episode): number {
  return claimed ?? confidence;
}
