import { PrioritisedReplay } from './prioritised-replay.js';

/** What can be trained: any model that learns from a few examples at a time. */
export interface Trainee {
  /** How badly each of these examples is ranked now; learns from them as far as the weights say. */
  step(places: Int32Array, weights: Float64Array, rate: number): Float64Array;
}

export interface TrainingOptions {
  readonly examples: number;
  /** A budget: not how often all examples come, but how many steps there are. */
  readonly steps: number;
  readonly batch: number;
  readonly rate: number;
  readonly random: () => number;
  /** How strongly the loss decides what is replayed. Default 0.6; 0 replays all alike. */
  readonly alpha?: number;
}

export interface TrainingFigures {
  readonly steps: number;
  /** Mean loss over the last tenth of the steps. */
  readonly loss: number;
  /** Deviation over mean of the priorities at the end. */
  readonly variation: number;
}

/** Later steps are smaller, so that the end does not depend on where it stopped. */
const SETTLING_FROM = 0.7;
const SETTLING = 0.3;

/** Trains with prioritised replay: what is ranked badly comes again sooner. */
export function trainByReplay(trainee: Trainee, options: TrainingOptions): TrainingFigures {
  const { examples, steps, batch, rate, random, alpha } = options;
  const replay = new PrioritisedReplay(examples, { random, ...(alpha !== undefined && { alpha }) });
  const last: number[] = [];
  for (let step = 0; step < steps; step++) {
    const progress = step / Math.max(1, steps - 1);
    const { places, weights } = replay.draw(batch, progress);
    const losses = trainee.step(places, weights, rate * (progress > SETTLING_FROM ? SETTLING : 1));
    places.forEach((place, at) => replay.update(place, losses[at]!));
    if (progress >= 0.9) last.push(losses.reduce((sum, loss) => sum + loss, 0) / batch);
  }
  return { steps, loss: meanOfAll(last), variation: replay.variation };
}

function meanOfAll(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
