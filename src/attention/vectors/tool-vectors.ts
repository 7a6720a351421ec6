import type { ToolId } from '../../core/index.js';
import { DotRows, type VectorIndex } from '../../search/index.js';
import { centred, combineLogits } from './fit-tool-vectors.js';
import { type LearnedVectors, signalOf } from './learn-tool-vectors.js';

/** A tool of which something was learned, and the hash of the text that its frozen vector is of. */
export interface LearnedTool {
  readonly id: ToolId;
  readonly hash: string;
}

/** What was learned of tools in one embedding space, as it is stored. */
export interface ToolVectors extends Pick<
  LearnedVectors,
  'centre' | 'scale' | 'residuals' | 'biases'
> {
  readonly space: string;
  /** One for each row of the residuals. */
  readonly tools: readonly LearnedTool[];
}

/** Only tools of which something was learned: most requests are for few of many tools. */
export function learnedTools(
  { residuals, biases, centre, scale }: LearnedVectors,
  { tools, space }: { readonly tools: readonly LearnedTool[]; readonly space: string },
): ToolVectors {
  const dimension = centre.length;
  const rowOf = (row: number) => residuals.subarray(row * dimension, (row + 1) * dimension);
  const kept = tools.flatMap((tool, row) =>
    biases[row] !== 0 || rowOf(row).some((value) => value !== 0) ? [{ tool, row }] : [],
  );
  const own = new Float32Array(kept.length * dimension);
  kept.forEach(({ row }, place) => own.set(rowOf(row), place * dimension));
  return {
    space,
    centre,
    scale,
    tools: kept.map(({ tool }) => tool),
    residuals: own,
    biases: Float32Array.from(kept, ({ row }) => biases[row]!),
  };
}

/** How much likelier a tool is than the average tool, by the learned vectors, as a logarithm. */
export type TrainedScore = (tool: ToolId) => number;

/** Scores tools for questions with what was learned of them. */
export class VectorScorer {
  readonly space: string;
  readonly #centre: Float32Array;
  readonly #scale: number;
  readonly #biases: Float32Array;
  readonly #rows: DotRows;
  /** The row of each tool whose text is what it was. */
  readonly #rowOf = new Map<ToolId, number>();
  readonly #hashes: ReadonlyMap<ToolId, string>;

  constructor({ space, tools, centre, scale, biases, residuals }: ToolVectors) {
    const dimension = centre.length;
    this.space = space;
    this.#centre = centre;
    this.#scale = scale;
    this.#biases = biases;
    this.#rows = new DotRows(dimension, tools.length);
    this.#hashes = new Map(tools.map(({ id, hash }) => [id, hash]));
    tools.forEach(({ id }, row) => {
      this.#rowOf.set(id, row);
      this.#rows.set(row, residuals.subarray(row * dimension, (row + 1) * dimension));
    });
  }

  /** How many tools have a residual. */
  get size(): number {
    return this.#rowOf.size;
  }

  get bytes(): number {
    return this.#rows.bytes;
  }

  /** A tool whose text is another one loses its residual, and it alone. */
  check(tool: ToolId, hash: string): void {
    const learned = this.#hashes.get(tool);
    if (learned !== undefined && learned !== hash) this.#rowOf.delete(tool);
  }

  /** Of the whole request first, then of each of its needs. A tool without a vector is average. */
  score(vectors: readonly Float32Array[], frozen: VectorIndex<ToolId>): TrainedScore {
    const biases = new Float32Array(frozen.size);
    const rows = new Int32Array(frozen.size).fill(-1);
    let place: (tool: ToolId) => number | undefined = () => undefined;
    const products = vectors.map((vector, text) => {
      const direction = centred(vector, this.#centre);
      const { scores, keyOf, rowOf } = frozen.similarities(direction);
      place = rowOf;
      const own = scores.slice();
      const residual = this.#rows.multiply(direction);
      for (let at = 0; at < own.length; at++) {
        if (text === 0) rows[at] = this.#rowOf.get(keyOf(at)!) ?? -1;
        const row = rows[at]!;
        if (row < 0) continue;
        own[at]! += residual[row]!;
        biases[at] = this.#biases[row]!;
      }
      return own;
    });
    if (products.length === 0) return () => 0;
    const signals = signalOf(combineLogits(products, { scale: this.#scale, biases }));
    return (tool) => signals[place(tool) ?? -1] ?? 0;
  }
}
