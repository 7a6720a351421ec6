import {
  type LearnedTool,
  learnedTools,
  SIGNAL_PARTS,
  type ToolVectors,
  type VectorRequest,
  type VectorTrainer,
} from '../../attention/index.js';
import { messageOf, type ToolId } from '../../core/index.js';
import { assignFolds, spreadOver } from '../../learning/index.js';
import type { IntentMemory, PastIntent } from '../../ranking/index.js';
import type { VectorIndex } from '../../search/index.js';
import type { NearRequests } from './near-requests.js';
import type { HeldOutVectors } from './replay.js';

/** Fewer remembered requests than this teach vectors that do harm: measured with 125. */
export const LEAST_FOR_VECTORS = 500;
/** More requests than this take longer than they are worth. */
const MOST_LEARNED_FROM = 4_000;
/** Parts, each of which is judged by vectors that the others teach. */
const FOLDS = 3;
/** The same experience teaches the same vectors. */
const SEED = 17;

export interface LessonOptions {
  readonly train: VectorTrainer;
  readonly memory: IntentMemory;
  readonly tools: VectorIndex<ToolId>;
  readonly space: string;
  /** The hash of the text that the vector of a tool is of. */
  readonly hashOf: (tool: ToolId) => string;
}

/** Has vectors learned from what is remembered, and keeps what they say of requests held out. */
export class VectorLessonTaken implements HeldOutVectors {
  readonly #options: LessonOptions;
  readonly #scores = new Map<string, Int16Array>();
  readonly #rowOf = new Map<ToolId, number>();
  #learned: ToolVectors | undefined;
  #failure: string | undefined;

  constructor(options: LessonOptions) {
    this.#options = options;
  }

  /** Undefined where there was too little to learn from. */
  get learned(): ToolVectors | undefined {
    return this.#learned;
  }

  /** Why nothing was learned although there was enough to learn from. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** A process that took too much, or was ended, leaves everything as it was. */
  async learn(intents: readonly PastIntent[], near: NearRequests): Promise<void> {
    try {
      await this.#learn(intents, near);
    } catch (error) {
      this.#failure = messageOf(error);
    }
  }

  async #learn(intents: readonly PastIntent[], near: NearRequests): Promise<void> {
    const { train, memory, tools, space, hashOf } = this.#options;
    const known: LearnedTool[] = Array.from(tools.keys(), (id) => ({ id, hash: hashOf(id) }));
    known.forEach(({ id }, row) => this.#rowOf.set(id, row));
    const vectors = new Float32Array(known.length * tools.dimension);
    known.forEach(({ id }, row) => vectors.set(tools.get(id)!, row * tools.dimension));
    const held = new Set(intents.filter((one) => this.#teaches(one)).map(({ id }) => id));
    const taught = new Set([...spreadOver([...memory.ids()], MOST_LEARNED_FROM), ...held]);
    const ids = [...taught].filter((id) => {
      const words = memory.wordsOf(id);
      return words !== undefined && memory.hasVector(id) && this.#teaches(words);
    });
    if (ids.length < LEAST_FOR_VECTORS) return;
    const groups = ids.map((id) => near.groupOf(memory.wordsOf(id)!.group));
    const foldOf = assignFolds(groups, FOLDS);
    const { learned, heldOut } = await train({
      dimension: tools.dimension,
      tools: vectors,
      requests: this.#requests(ids, { foldOf: (at) => foldOf.get(groups[at]!)!, held }),
      folds: FOLDS,
      seed: SEED,
    });
    const order = ids.filter((id) => held.has(id));
    order.forEach((id, at) => this.#scores.set(id, heldOut[at]!));
    this.#learned = learnedTools(learned, { tools: known, space });
  }

  of(id: string): ((tool: ToolId) => number) | undefined {
    const scores = this.#scores.get(id);
    return scores && ((tool) => (scores[this.#rowOf.get(tool) ?? -1] ?? 0) / SIGNAL_PARTS);
  }

  /** One after the other: all of their vectors at once would take as much memory as the model. */
  *#requests(
    ids: readonly string[],
    {
      foldOf,
      held,
    }: { readonly foldOf: (at: number) => number; readonly held: ReadonlySet<string> },
  ): Generator<VectorRequest> {
    const { memory } = this.#options;
    for (const [at, id] of ids.entries()) {
      const intent = memory.get(id);
      if (!intent?.vector) continue;
      yield {
        vectors: vectorsOf(intent),
        right: this.#rightFor(intent),
        fold: foldOf(at),
        isHeldOut: held.has(id),
      };
    }
  }

  #teaches(intent: PastIntent): boolean {
    return this.#rightFor(intent).length > 0;
  }

  #rightFor({ tools }: PastIntent): readonly number[] {
    return tools.flatMap((tool) => this.#rowOf.get(tool) ?? []);
  }
}

/** Of the whole request first, then of each of its needs. */
export function vectorsOf({
  vector,
  needs,
}: Pick<PastIntent, 'vector' | 'needs'>): readonly Float32Array[] {
  const all = [vector, ...needs.map((need) => need.vector)];
  return all.flatMap((one) => one ?? []);
}
