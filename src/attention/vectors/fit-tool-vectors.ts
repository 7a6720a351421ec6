import { DotRows } from '../../search/index.js';
import { type TrainingFigures, trainByReplay } from './train-by-replay.js';

/** A request as vectors, and the rows of the tools that served it. */
export interface VectorExample {
  /** Of the whole request and of each of its needs, of length 1 after `centred`. */
  readonly vectors: readonly Float32Array[];
  readonly right: readonly number[];
}

/** What was learned of tools: what is added to their frozen vectors and to their scores. */
export interface FittedVectors {
  /** One row per tool; 0 for a tool of which nothing was learned. */
  readonly residuals: Float32Array;
  readonly biases: Float32Array;
  readonly scale: number;
  readonly figures: TrainingFigures;
}

export interface FitVectorsOptions {
  /** The frozen vectors, one row per tool. */
  readonly tools: Float32Array;
  readonly dimension: number;
  readonly random: () => number;
  readonly steps: number;
  readonly alpha?: number;
}

const BATCH = 32;
const RATE = 2e-3;
/** Pulls residuals and biases back to 0: what few requests say moves a tool little. */
const DECAY = 2e-4;
/** Cosines of centred vectors times this are near to log-odds before anything was learned. */
const FIRST_SCALE = 25;
/** The scale is one number that all examples share: it may move faster than a tool. */
const SCALE_RATE = 1;
/** Tools less likely than this are no hard negatives: they would not move. */
const LEAST_CHANCE = 1e-3;
/** Of more tools than this, the likeliest are moved: thousands of them would take the time of many steps. */
const MOST_HARD = 200;

/**
 * Learns a residual and a bias for each tool, so that the tools that served a request are likelier than
 * all others (InfoNCE over all tools; only gradients of hard negatives are worth their time).
 */
export function fitToolVectors(
  examples: readonly VectorExample[],
  { tools, dimension, random, steps, alpha }: FitVectorsOptions,
): FittedVectors {
  const model = new ToolVectorModel(tools, dimension);
  const figures = trainByReplay(
    {
      step: (places, weights, rate) => {
        const losses = Float64Array.from(places, (place, at) =>
          model.learn(examples[place]!, weights[at]! / places.length),
        );
        model.update(rate);
        return losses;
      },
    },
    {
      examples: examples.length,
      steps,
      batch: BATCH,
      rate: RATE,
      random,
      ...(alpha !== undefined && { alpha }),
    },
  );
  return { ...model.learned, figures };
}

/** Frozen vectors, residuals and biases, with what Adam has to remember of them. */
class ToolVectorModel {
  readonly #tools: Float32Array;
  readonly #dimension: number;
  readonly #count: number;
  readonly #rows: DotRows;
  readonly #residuals: Adam;
  readonly #biases: Adam;
  readonly #scale: Adam;
  readonly #touched = new Set<number>();
  #steps = 0;

  constructor(tools: Float32Array, dimension: number) {
    this.#tools = tools;
    this.#dimension = dimension;
    this.#count = tools.length / dimension;
    this.#rows = new DotRows(dimension, this.#count);
    for (let row = 0; row < this.#count; row++) this.#rows.set(row, this.#frozen(row));
    this.#residuals = new Adam(tools.length);
    this.#biases = new Adam(this.#count);
    this.#scale = new Adam(1);
    this.#scale.values[0] = Math.log(FIRST_SCALE);
  }

  get learned(): Pick<FittedVectors, 'residuals' | 'biases' | 'scale'> {
    return {
      residuals: this.#residuals.values,
      biases: this.#biases.values,
      scale: Math.exp(this.#scale.values[0]!),
    };
  }

  /** Adds the slope of one example. Returns its loss. */
  learn({ vectors, right }: VectorExample, weight: number): number {
    const scale = Math.exp(this.#scale.values[0]!);
    const products = vectors.map((vector) => this.#rows.multiply(vector).slice());
    const chances = combineLogits(products, { scale, biases: this.#biases.values });
    const total = toChances(chances);
    const share = 1 / right.length;
    let loss = 0;
    for (const row of right) loss -= share * Math.log(chances[row]! / total + 1e-9);
    const isRight = new Set(right);
    for (const row of [...right, ...hardest(chances, total, isRight)]) {
      const excess = weight * (chances[row]! / total - (isRight.has(row) ? share : 0));
      this.#touched.add(row);
      this.#biases.slopes[row]! += excess;
      this.#spread(row, excess, { vectors, products, scale });
    }
    return loss;
  }

  /** Takes one step down the slopes that were added. */
  update(rate: number): void {
    this.#steps += 1;
    const dimension = this.#dimension;
    for (const row of this.#touched) {
      this.#residuals.step({
        from: row * dimension,
        to: (row + 1) * dimension,
        rate,
        decay: DECAY,
        steps: this.#steps,
      });
      this.#biases.step({ from: row, to: row + 1, rate, decay: DECAY, steps: this.#steps });
      const sum = this.#frozen(row);
      const start = row * dimension;
      for (let at = 0; at < dimension; at++) sum[at]! += this.#residuals.values[start + at]!;
      this.#rows.set(row, sum);
    }
    this.#scale.step({ from: 0, to: 1, rate: rate * SCALE_RATE, decay: 0, steps: this.#steps });
    this.#touched.clear();
  }

  /** Of each text of the request the part by which it made the score. */
  #spread(
    row: number,
    excess: number,
    {
      vectors,
      products,
      scale,
    }: {
      readonly vectors: readonly Float32Array[];
      readonly products: readonly Float32Array[];
      readonly scale: number;
    },
  ): void {
    const best = products.reduce((most, one) => Math.max(most, scale * one[row]!), -Infinity);
    const shares = products.map((one) => Math.exp(scale * one[row]! - best));
    const total = shares.reduce((sum, one) => sum + one, 0);
    const slopes = this.#residuals.slopes;
    const start = row * this.#dimension;
    vectors.forEach((vector, text) => {
      const own = (excess * shares[text]!) / total;
      if (Math.abs(own) < 1e-7) return;
      this.#scale.slopes[0]! += own * scale * products[text]![row]!;
      const factor = own * scale;
      for (let at = 0; at < vector.length; at++) slopes[start + at]! += factor * vector[at]!;
    });
  }

  #frozen(row: number): Float32Array {
    return this.#tools.slice(row * this.#dimension, (row + 1) * this.#dimension);
  }
}

interface AdamStep {
  readonly from: number;
  readonly to: number;
  readonly rate: number;
  readonly decay: number;
  readonly steps: number;
}

/** Numbers with their slopes, of which a part may be moved at a time. */
class Adam {
  readonly values: Float32Array;
  readonly slopes: Float32Array;
  readonly #means: Float32Array;
  readonly #squares: Float32Array;

  constructor(count: number) {
    this.values = new Float32Array(count);
    this.slopes = new Float32Array(count);
    this.#means = new Float32Array(count);
    this.#squares = new Float32Array(count);
  }

  step({ from, to, rate, decay, steps }: AdamStep): void {
    const [early, settled] = [1 - 0.9 ** steps, 1 - 0.999 ** steps];
    for (let at = from; at < to; at++) {
      const slope = this.slopes[at]! + decay * this.values[at]!;
      const mean = 0.9 * this.#means[at]! + 0.1 * slope;
      const square = 0.999 * this.#squares[at]! + 0.001 * slope * slope;
      this.#means[at] = mean;
      this.#squares[at] = square;
      this.values[at]! -= (rate * (mean / early)) / (Math.sqrt(square / settled) + 1e-8);
      this.slopes[at] = 0;
    }
  }
}

/** The score of each tool: the best text of the request decides, softly. */
export function combineLogits(
  products: readonly Float32Array[],
  { scale, biases }: { readonly scale: number; readonly biases: Float32Array },
): Float64Array {
  const [only, ...others] = products;
  if (others.length === 0) {
    return Float64Array.from(biases, (bias, row) => scale * only![row]! + bias);
  }
  return Float64Array.from(biases, (bias, row) => {
    let most = -Infinity;
    for (const one of products) if (scale * one[row]! > most) most = scale * one[row]!;
    let sum = 0;
    for (const one of products) sum += Math.exp(scale * one[row]! - most);
    return most + Math.log(sum) + bias;
  });
}

/** Turns scores into chances in place, up to the sum that it returns. */
function toChances(scores: Float64Array): number {
  let most = -Infinity;
  for (const score of scores) if (score > most) most = score;
  let total = 0;
  for (let row = 0; row < scores.length; row++) {
    scores[row] = Math.exp(scores[row]! - most);
    total += scores[row]!;
  }
  return total;
}

/** The wrong tools that are likely enough to be worth moving. */
function hardest(
  chances: Float64Array,
  total: number,
  isRight: ReadonlySet<number>,
): readonly number[] {
  const rows: number[] = [];
  const least = LEAST_CHANCE * total;
  for (let row = 0; row < chances.length; row++) {
    if (chances[row]! >= least && !isRight.has(row)) rows.push(row);
  }
  if (rows.length <= MOST_HARD) return rows;
  return rows.toSorted((one, other) => chances[other]! - chances[one]!).slice(0, MOST_HARD);
}

/** The direction of a text from the middle of all requests. */
export function centred(vector: Float32Array, centre: Float32Array): Float32Array {
  const own = vector.map((value, at) => value - centre[at]!);
  const length = Math.hypot(...own) || 1;
  return own.map((value) => value / length);
}

/** The middle of all requests; 0 of none. */
export function centreOf(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const centre = new Float32Array(dimension);
  for (const vector of vectors) {
    for (let at = 0; at < dimension; at++) centre[at]! += vector[at]! / vectors.length;
  }
  return centre;
}
