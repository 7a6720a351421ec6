/** How strongly the loss decides what is replayed: 0 not at all, 1 in proportion. */
const ALPHA = 0.6;
/** How far weights undo that what is hard comes more often: from the first step to the last. */
const BETA_FROM = 0.4;
const BETA_TO = 1;
/** No example is certain never to come again, and one that cannot be learned does not take over. */
const LEAST_PRIORITY = 0.05;
const MOST_PRIORITY = 6;

export interface PrioritisedOptions {
  /** 0 replays all alike. Default 0.6. */
  readonly alpha?: number;
  readonly random: () => number;
}

export interface Replayed {
  readonly places: Int32Array;
  /** Of importance: 1 for the rarest of them, less for what comes more often than it should. */
  readonly weights: Float64Array;
}

/**
 * Draws examples in proportion to how badly they were ranked when they came last (prioritised
 * experience replay). Examples that never came are drawn first.
 */
export class PrioritisedReplay {
  readonly #alpha: number;
  readonly #random: () => number;
  readonly #losses: Float64Array;
  readonly #shares: Float64Array;

  constructor(count: number, { alpha = ALPHA, random }: PrioritisedOptions) {
    this.#alpha = alpha;
    this.#random = random;
    this.#losses = new Float64Array(count).fill(MOST_PRIORITY);
    this.#shares = new Float64Array(count).fill(this.#shareOf(MOST_PRIORITY));
  }

  /** Draws so many, at this part of the way from 0 to 1. */
  draw(count: number, progress: number): Replayed {
    const sums = new Float64Array(this.#shares.length);
    let total = 0;
    for (let at = 0; at < sums.length; at++) {
      total += this.#shares[at]!;
      sums[at] = total;
    }
    const beta = BETA_FROM + (BETA_TO - BETA_FROM) * progress;
    const places = Int32Array.from({ length: count }, () =>
      firstAbove(sums, this.#random() * total),
    );
    const weights = Float64Array.from(places, (place) => {
      return ((sums.length * this.#shares[place]!) / total) ** -beta;
    });
    const most = weights.reduce((one, other) => Math.max(one, other), 0);
    return { places, weights: weights.map((weight) => weight / most) };
  }

  /** Tells how badly an example was ranked. */
  update(place: number, loss: number): void {
    const held = Math.min(MOST_PRIORITY, Math.max(0, loss));
    this.#losses[place] = held;
    this.#shares[place] = this.#shareOf(held);
  }

  /** Deviation over mean of the losses: near 0, priorities would tell nothing apart. */
  get variation(): number {
    const count = Math.max(1, this.#losses.length);
    const mean = this.#losses.reduce((sum, loss) => sum + loss, 0) / count;
    const squares = this.#losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0);
    return mean > 0 ? Math.sqrt(squares / count) / mean : 0;
  }

  #shareOf(loss: number): number {
    return (loss + LEAST_PRIORITY) ** this.#alpha;
  }
}

function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
