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
  /** Requests that count as if they had never been. */
  readonly leftOut: readonly PastIntent[];
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

type Tools = readonly ToolId[];
/** How many requests each list of tools served. */
type Times = ReadonlyMap<Tools, number>;

/** The requests with one need. Thousands of them may have been served by the same few lists of tools. */
interface Owners {
  readonly toolsOf: Map<string, Tools>;
  readonly times: Map<Tools, number>;
}

/**
 * The parts of past requests. Which part a tool served is not recorded, but a part that comes back
 * in request after request comes with its own tool, and the others change.
 */
export class NeedMemory {
  readonly #vectors: VectorIndex<string>;
  readonly #owners = new Map<string, Owners>();

  constructor(dimension: number) {
    this.#vectors = createVectorIndex(dimension);
  }

  add({ id, tools, needs }: PastIntent): void {
    for (const { text, vector } of needs) {
      if (!vector) continue;
      const owners = this.#owners.get(text) ?? { toolsOf: new Map(), times: new Map() };
      this.#owners.set(text, owners);
      forget(owners, id);
      owners.toolsOf.set(id, tools);
      count(owners.times, tools, 1);
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
      if (!owners || !forget(owners, id) || owners.toolsOf.size > 0) continue;
      this.#owners.delete(text);
      this.#vectors.delete(text);
    }
  }

  votes(question: Question, options: NeedVoteOptions): ReadonlyMap<ToolId, NeedVote> {
    const best = new Map<ToolId, NeedVote>();
    if (this.#vectors.size === 0) return best;
    const timesOf = this.#timesWithout(options.leftOut);
    for (const need of question.needs.length > 0 ? question.needs : [question]) {
      for (const [tool, share] of this.#shares(need, timesOf, options)) {
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
    timesOf: (text: string) => Times,
    { unrelated }: NeedVoteOptions,
  ): ReadonlyMap<ToolId, number> {
    const sums = new Map<ToolId, number>();
    if (!vector) return sums;
    const isKnown = (text: string) => timesOf(text).size > 0;
    const standing = standingIn(unrelated);
    const near = this.#vectors
      .nearest(vector, NEIGHBOURS, isKnown)
      .filter(({ similarity }) => standing(similarity) > UNRELATED);
    const nearest = near[0]?.similarity ?? 0;
    let total = 0;
    for (const { key, similarity } of near) {
      const weight = Math.exp((similarity - nearest) / SHARPNESS);
      for (const [tools, times] of timesOf(key)) {
        total += times * weight;
        for (const tool of tools) sums.set(tool, (sums.get(tool) ?? 0) + times * weight);
      }
    }
    // Of the way from unrelated to the very same; squared, because half of it is not half as good.
    const trust = (standing(nearest) / standing(1)) ** 2;
    for (const [tool, sum] of sums) sums.set(tool, (trust * sum) / (total + DOUBT));
    return sums;
  }

  /** Which tools served how many requests with a need. */
  #timesWithout(leftOut: readonly PastIntent[]): (text: string) => Times {
    const less = new Map<string, Map<Tools, number>>();
    for (const { id, needs } of leftOut) {
      for (const text of new Set(needs.map((need) => need.text))) {
        const owners = this.#owners.get(text);
        const tools = owners?.toolsOf.get(id);
        if (!owners || !tools) continue;
        const times = less.get(text) ?? new Map(owners.times);
        less.set(text, times);
        count(times, tools, -1);
      }
    }
    return (text) => less.get(text) ?? this.#owners.get(text)!.times;
  }
}

/** Whether it was there. */
function forget({ toolsOf, times }: Owners, id: string): boolean {
  const tools = toolsOf.get(id);
  if (!tools) return false;
  count(times, tools, -1);
  return toolsOf.delete(id);
}

function count(times: Map<Tools, number>, tools: Tools, by: 1 | -1): void {
  const sum = (times.get(tools) ?? 0) + by;
  if (sum > 0) times.set(tools, sum);
  else times.delete(tools);
}
