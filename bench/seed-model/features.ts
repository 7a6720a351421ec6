import type { VectorRequest } from '../../src/attention/index.js';
import { seededRandom } from '../data/seeded-random.js';
import { mainDirections } from './projection.js';
import type { SeedConfig, SeedExample } from './seed-model.js';

const DIRECTIONS = 40;
const MOST_PROJECTED = 800;

/**
 * What the model of the first design sees of a request and a tool: both vectors, what the runs of the tool say, and
 * statistics. What a request itself adds to runs and statistics is left out when it is asked.
 */
export class SeedFeatures {
  readonly #config: SeedConfig;
  readonly #project: (vector: Float32Array) => Float64Array;
  readonly #tools: readonly Float64Array[];
  readonly #runs: readonly Runs[];
  readonly #count: number;

  constructor(tools: readonly Float32Array[], past: readonly VectorRequest[], config: SeedConfig) {
    this.#config = config;
    this.#count = past.length;
    const texts = [...tools, ...past.map(({ vectors }) => vectors[0]!)];
    const step = Math.max(1, Math.floor(texts.length / MOST_PROJECTED));
    this.#project = mainDirections(
      texts.filter((_, at) => at % step === 0),
      DIRECTIONS,
      seededRandom(3),
    );
    this.#tools = tools.map((tool) => this.#project(tool));
    this.#runs = tools.map(() => new Runs());
    past.forEach((request, at) => this.#tell(request, at, 1));
  }

  /** The example of a past request, as if it had never been. */
  exampleOf(request: VectorRequest, at: number, candidates: readonly number[]): SeedExample {
    this.#tell(request, at, -1);
    const features = this.of(request.vectors[0]!, candidates);
    this.#tell(request, at, 1);
    const right = new Set(
      candidates.flatMap((tool, row) => (request.right.includes(tool) ? [row] : [])),
    );
    return { features, right, pathLength: request.right.length };
  }

  of(vector: Float32Array, candidates: readonly number[]): readonly Float64Array[] {
    const question = this.#project(vector);
    const { hasMessages, hasStructure, hasTime } = this.#config;
    return candidates.map((tool) => {
      const runs = this.#runs[tool]!;
      return Float64Array.from([
        ...question,
        ...this.#tools[tool]!,
        ...(hasMessages ? runs.message : []),
        ...(hasStructure ? runs.structure : []),
        ...(hasTime ? runs.time(this.#count) : []),
      ]);
    });
  }

  /** V→E: a run is the mean of its request and its tools. E→V: its tools get it. */
  #tell({ vectors, right }: VectorRequest, at: number, sign: 1 | -1): void {
    const parts = [this.#project(vectors[0]!), ...right.map((tool) => this.#tools[tool]!)];
    const run = new Float64Array(DIRECTIONS);
    for (const part of parts) part.forEach((value, place) => (run[place]! += value / parts.length));
    right.forEach((tool, place) => {
      const position = right.length > 1 ? place / (right.length - 1) : 0.5;
      this.#runs[tool]!.add({ run, position, length: right.length, at, sign });
    });
  }
}

interface Told {
  readonly run: Float64Array;
  readonly position: number;
  readonly length: number;
  readonly at: number;
  readonly sign: 1 | -1;
}

/** Sums over the runs that a tool was in. */
class Runs {
  readonly #sum = new Float64Array(DIRECTIONS);
  #count = 0;
  #position = 0;
  #length = 0;
  #squares = 0;
  #places: number[] = [];

  add({ run, position, length, at, sign }: Told): void {
    run.forEach((value, place) => (this.#sum[place]! += sign * value));
    this.#count += sign;
    this.#position += sign * position;
    this.#length += sign * length;
    this.#squares += sign * length * length;
    this.#places = sign > 0 ? [...this.#places, at] : this.#places.filter((one) => one !== at);
  }

  get message(): Float64Array {
    return this.#sum.map((value) => value / (this.#count + 1));
  }

  /** Position in runs, their length and its variance, how many others there are in them. */
  get structure(): readonly number[] {
    const count = Math.max(1, this.#count);
    const length = this.#length / count;
    const variance = Math.max(0, this.#squares / count - length * length);
    return [this.#position / count, length / 4, Math.sqrt(variance), Math.log1p(this.#length) / 4];
  }

  /** Frequency, and how long ago it was used, in requests. */
  time(all: number): readonly number[] {
    const last = Math.max(0, ...this.#places);
    const isNew = this.#count <= 0 ? 1 : 0;
    return [Math.log1p(Math.max(0, this.#count)) / 4, Math.exp((last - all) / 50), isNew];
  }
}
