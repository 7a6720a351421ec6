import type { ToolId } from '../core/index.js';
import { createVectorIndex, type VectorIndex } from '../search/index.js';
import { SHARPNESS, standingIn, UNRELATED } from './neighbour-weight.js';
import type { Need, PastIntent, Question } from './question.js';
import type { Spread } from './spread.js';

/** What the needs of past requests say about one tool. */
export interface NeedVote {
  /** The share of the nearest past needs whose request the tool served; best over the new needs. */
  readonly vote: number;
  /** The same, counted only as far as it is more than the tool's usual share. */
  readonly lift: number;
}

export interface NeedVoteOptions {
  readonly isLeftOut: (id: string) => boolean;
  /** The share of all requests that the tool served. */
  readonly base: (tool: ToolId) => number;
  /** How alike the question is to texts that have nothing to do with it, where that is known. */
  readonly unrelated?: Spread | undefined;
}

const NEIGHBOURS = 30;
/** Each need of a question is compared with all of them; the oldest are forgotten. */
const MOST_NEEDS = 20_000;
/** Doubt: a single neighbour is not a certainty. */
const DOUBT = 0.5;

interface Owner {
  readonly id: string;
  readonly tools: readonly ToolId[];
}

/**
 * The parts of past requests. Which part a tool served is not recorded, but a part that comes back
 * in request after request comes with its own tool, and the others change.
 */
export class NeedMemory {
  readonly #vectors: VectorIndex<string>;
  readonly #owners = new Map<string, Map<string, Owner>>();

  constructor(dimension: number) {
    this.#vectors = createVectorIndex(dimension);
  }

  add({ id, tools, needs }: PastIntent): void {
    for (const { text, vector } of needs) {
      if (!vector) continue;
      const owners = this.#owners.get(text) ?? new Map();
      this.#owners.set(text, owners.set(id, { id, tools }));
      if (!this.#vectors.has(text)) this.#vectors.set(text, vector);
    }
    for (const oldest of this.#owners.keys()) {
      if (this.#owners.size <= MOST_NEEDS) break;
      this.#owners.delete(oldest);
      this.#vectors.delete(oldest);
    }
  }

  remove({ id, needs }: PastIntent): void {
    for (const { text } of needs) {
      const owners = this.#owners.get(text);
      if (!owners?.delete(id) || owners.size > 0) continue;
      this.#owners.delete(text);
      this.#vectors.delete(text);
    }
  }

  votes(question: Question, options: NeedVoteOptions): ReadonlyMap<ToolId, NeedVote> {
    const best = new Map<ToolId, NeedVote>();
    if (this.#vectors.size === 0) return best;
    for (const need of question.needs.length > 0 ? question.needs : [question]) {
      for (const [tool, share] of this.#shares(need, options)) {
        const lift = share * Math.max(0, Math.log(share / options.base(tool)));
        const known = best.get(tool) ?? { vote: 0, lift: 0 };
        best.set(tool, {
          vote: Math.max(known.vote, share),
          lift: Math.max(known.lift, lift),
        });
      }
    }
    return best;
  }

  #shares(
    { vector }: Need,
    { isLeftOut, unrelated }: NeedVoteOptions,
  ): ReadonlyMap<ToolId, number> {
    const sums = new Map<ToolId, number>();
    if (!vector) return sums;
    const isKnown = (text: string) => this.#ownersOf(text, isLeftOut).next().done !== true;
    const standing = standingIn(unrelated);
    const near = this.#vectors
      .nearest(vector, NEIGHBOURS, isKnown)
      .filter(({ similarity }) => standing(similarity) > UNRELATED);
    const nearest = near[0]?.similarity ?? 0;
    let total = 0;
    for (const { key, similarity } of near) {
      const weight = Math.exp((similarity - nearest) / SHARPNESS);
      for (const { tools } of this.#ownersOf(key, isLeftOut)) {
        total += weight;
        for (const tool of tools) sums.set(tool, (sums.get(tool) ?? 0) + weight);
      }
    }
    // Of the way from unrelated to the very same; squared, because half of it is not half as good.
    const trust = (standing(nearest) / standing(1)) ** 2;
    for (const [tool, sum] of sums) sums.set(tool, (trust * sum) / (total + DOUBT));
    return sums;
  }

  *#ownersOf(text: string, isLeftOut: (id: string) => boolean): Generator<Owner> {
    for (const owner of this.#owners.get(text)?.values() ?? []) {
      if (!isLeftOut(owner.id)) yield owner;
    }
  }
}
