import type { Episode, Rung, StoredThreshold, ToolId } from '../../core/index.js';
import {
  adaptThreshold,
  FIRST_STATE,
  type Judged,
  OFF_THRESHOLD,
  type ThresholdState,
  type ThresholdTargets,
  WINDOW,
} from './adapt-threshold.js';
import { isUseful } from './is-useful.js';
import { requestOf } from './request-of.js';

/** More kinds than there are. */
const MOST_KINDS = 1_000;

export interface ThresholdsOptions {
  readonly kindOf: (tool: ToolId) => string;
  readonly targets: () => ThresholdTargets;
}

interface Moving {
  readonly rung: Rung;
  readonly kind: string;
  state: ThresholdState;
  at: Date;
  /** Newest last. */
  window: readonly Judged[];
}

/** One threshold for each rung and kind of tool, moved by the outcomes of predictions. */
export class Thresholds {
  readonly #options: ThresholdsOptions;
  readonly #all = new Map<string, Moving>();

  constructor(options: ThresholdsOptions) {
    this.#options = options;
  }

  for(rung: Rung, tool: ToolId): number {
    const { isOff, value } =
      this.#all.get(keyOf(rung, this.#options.kindOf(tool)))?.state ?? FIRST_STATE;
    return isOff ? OFF_THRESHOLD : value;
  }

  /** Moves the threshold that the episode tells about, and returns it if it moved. */
  settled(episode: Episode): StoredThreshold | undefined {
    const moving = this.#watch(episode);
    const next = adaptThreshold(moving.state, moving.window, this.#options.targets());
    if (next === moving.state) return undefined;
    moving.state = next;
    moving.at = episode.at;
    return asStored(moving);
  }

  /** Takes outcomes of earlier sessions into the windows. They moved their thresholds then. */
  recall(episodes: Iterable<Episode>): void {
    const later = [...this.#all.values()].map((one) => ({ one, window: one.window }));
    for (const { one } of later) one.window = [];
    for (const episode of episodes) this.#watch(episode);
    for (const { one, window } of later) one.window = [...one.window, ...window].slice(-WINDOW);
  }

  /** Takes stored thresholds, unless one moved since. */
  restore(stored: readonly StoredThreshold[]): void {
    for (const { rung, kind, value, isOff, why, at } of stored) {
      const moving = this.#of(rung, kind, at);
      if (moving.state === FIRST_STATE) Object.assign(moving, { state: { value, isOff, why }, at });
    }
  }

  forgetOutcomes(): void {
    for (const moving of this.#all.values()) moving.window = [];
  }

  forget(): void {
    this.#all.clear();
  }

  get all(): readonly (StoredThreshold & { readonly outcomes: number })[] {
    return [...this.#all.values()].map((one) => ({
      ...asStored(one),
      outcomes: one.window.length,
    }));
  }

  #watch(episode: Episode): Moving {
    const { rung, predicted, confidence, at } = episode;
    const judged = { request: requestOf(episode), confidence, isUseful: isUseful(episode) };
    const moving = this.#of(rung, this.#options.kindOf(predicted), at);
    moving.window = [...moving.window, judged].slice(-WINDOW);
    return moving;
  }

  #of(rung: Rung, kind: string, at: Date): Moving {
    const key = keyOf(rung, kind);
    const known = this.#all.get(key);
    if (known) return known;
    const [oldest] = this.#all.keys();
    if (this.#all.size >= MOST_KINDS && oldest !== undefined) this.#all.delete(oldest);
    const moving: Moving = { rung, kind, state: FIRST_STATE, at, window: [] };
    this.#all.set(key, moving);
    return moving;
  }
}

function keyOf(rung: Rung, kind: string): string {
  return `${rung} ${kind}`;
}

function asStored({ rung, kind, state, at }: Moving): StoredThreshold {
  return { rung, kind, value: state.value, isOff: state.isOff, why: state.why, at };
}
