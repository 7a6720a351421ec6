/**
 * The scorer that the seed describes: question, tool, company and statistics are projected, K heads
 * look at the projection, an MLP fuses their scores. Trained by the replay that trains tool vectors.
 */
import { trainByReplay } from '../../src/attention/vectors/train-by-replay.js';
import { AdamDescent, Matrix, Tape } from './autograd.js';

export interface SeedConfig {
  readonly heads: number;
  /** Messages V→E→V: what a tool gets from the runs it was in. */
  readonly hasMessages: boolean;
  readonly hasStructure: boolean;
  readonly hasTime: boolean;
  /** 0 replays all alike. */
  readonly alpha: number;
  /** The target of the seed, γ to the length of the path, instead of 1. */
  readonly hasTd: boolean;
  /** Squared error of each candidate, as the seed has it, or InfoNCE over all of them. */
  readonly loss: 'squared' | 'ranking';
}

export const SEED_CONFIG: SeedConfig = {
  heads: 4,
  hasMessages: true,
  hasStructure: true,
  hasTime: true,
  alpha: 0.6,
  hasTd: true,
  loss: 'squared',
};

/** One request: its candidates as rows of features, which of them served it, and how many steps. */
export interface SeedExample {
  readonly features: readonly Float64Array[];
  readonly right: ReadonlySet<number>;
  readonly pathLength: number;
}

const HIDDEN = 32;
const FUSION = 16;
const GAMMA = 0.99;
const RATE = 3e-3;
const DECAY = 1e-4;

/** Trains on examples and returns what scores the candidates of another one. */
export function trainSeedModel(
  examples: readonly SeedExample[],
  config: SeedConfig,
  { steps, batch, random }: { steps: number; batch: number; random: () => number },
): { readonly score: (features: readonly Float64Array[]) => Float64Array; variation: number } {
  const model = new SeedModel(examples[0]!.features[0]!.length, config.heads, random);
  const descent = new AdamDescent(model.parameters);
  const { variation } = trainByReplay(
    {
      step(places, weights, rate) {
        const losses = Float64Array.from(places, (place, at) =>
          model.learn(examples[place]!, weights[at]! / places.length, config),
        );
        descent.step(rate, DECAY);
        return losses;
      },
    },
    { examples: examples.length, steps, batch, rate: RATE, random, alpha: config.alpha },
  );
  return { score: (features) => model.score(features), variation };
}

export class SeedModel {
  readonly #heads: number;
  readonly #projection: Matrix;
  readonly #projectionBias: Matrix;
  readonly query: Matrix;
  readonly key: Matrix;
  readonly value: Matrix;
  readonly #fusion: Matrix;
  readonly #fusionBias: Matrix;
  readonly #out: Matrix;

  constructor(width: number, heads: number, random: () => number) {
    const drawn = (rows: number, columns: number) =>
      new Matrix(
        rows,
        columns,
        Float64Array.from(
          { length: rows * columns },
          () => (random() - 0.5) * Math.sqrt(12 / rows),
        ),
      );
    this.#heads = heads;
    this.#projection = drawn(width, HIDDEN);
    this.#projectionBias = new Matrix(1, HIDDEN);
    this.query = drawn(HIDDEN, HIDDEN);
    this.key = drawn(HIDDEN, HIDDEN);
    this.value = drawn(HIDDEN, HIDDEN);
    this.#fusion = drawn(heads, FUSION);
    this.#fusionBias = new Matrix(1, FUSION, new Float64Array(FUSION).fill(0.1));
    this.#out = drawn(FUSION, 1);
  }

  get parameters(): readonly Matrix[] {
    return [
      this.#projection,
      this.#projectionBias,
      this.query,
      this.key,
      this.value,
      this.#fusion,
      this.#fusionBias,
      this.#out,
    ];
  }

  score(features: readonly Float64Array[]): Float64Array {
    return this.#logits(new Tape(), features).values;
  }

  /** Adds the slopes of one example. Returns how badly it was ranked: the loss over all candidates. */
  learn({ features, right, pathLength }: SeedExample, weight: number, config: SeedConfig): number {
    const tape = new Tape();
    const logits = this.#logits(tape, features);
    const chances = softmaxOf(logits.values);
    let loss = 0;
    for (const row of right) loss -= Math.log(chances[row]! + 1e-9) / right.size;
    if (config.loss === 'ranking') {
      chances.forEach((chance, row) => {
        logits.slopes[row] = weight * (chance - (right.has(row) ? 1 / right.size : 0));
      });
      tape.backward();
      return loss;
    }
    const predicted = tape.sigmoid(logits);
    const target = config.hasTd ? GAMMA ** pathLength : 1;
    let squares = 0;
    predicted.values.forEach((value, row) => {
      const error = value - (right.has(row) ? target : 0);
      squares += error * error;
      predicted.slopes[row] = 2 * weight * error;
    });
    tape.backward();
    return config.hasTd ? squares : loss;
  }

  /** Before the sigmoid: it changes no order. */
  #logits(tape: Tape, features: readonly Float64Array[]): Matrix {
    const width = this.#projection.rows;
    const input = new Matrix(
      features.length,
      width,
      features.flatMap((one) => [...one]),
      true,
    );
    const projected = tape.relu(
      tape.add(tape.multiply(input, this.#projection), this.#projectionBias),
    );
    const heads = this.#headScores(tape, projected);
    const fused = tape.relu(tape.add(tape.multiply(heads, this.#fusion), this.#fusionBias));
    return tape.multiply(fused, this.#out);
  }

  /** As the seed writes it: each head attends over the one vector it looks at. */
  #headScores(tape: Tape, projected: Matrix): Matrix {
    const [queries, keys, values] = [this.query, this.key, this.value].map((weights) =>
      tape.multiply(projected, weights),
    ) as [Matrix, Matrix, Matrix];
    const products = tape.sumGroups(tape.times(queries, keys), this.#heads);
    const alone = Array.from(products.values, (_, at) => [at]);
    const attention = tape.softmax(products, alone);
    return tape.times(attention, tape.sumGroups(values, this.#heads));
  }
}

function softmaxOf(logits: Float64Array): Float64Array {
  const most = Math.max(...logits);
  const odds = logits.map((logit) => Math.exp(logit - most));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / total);
}
