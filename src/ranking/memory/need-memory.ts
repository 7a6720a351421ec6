import type { ToolId } from '../../core/index.js';
import { createPackedIndex, type VectorIndex } from '../../search/index.js';
import type { Need, PastIntent, Question } from '../question.js';
import type { Spread } from '../spread.js';
import { NEIGHBOURS, SHARPNESS, standingIn, UNRELATED } from './neighbour-weight.js';

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

/** Each need of a question is compared with all of them; the oldest are forgotten. */
const MOST_NEEDS = 20_000;
/** Doubt: a single neighbour is not a certainty. */
const DOUBT = 0.5;

type Tools = readonly ToolId[];
/** How many requests each list of tools served. */
type Times = ReadonlyMap<Tools, number>;

/** The needs that count, for one question. */
interface Counted {
  /** Which tools served how many requests with a need. */
  readonly times: (text: string) => Times;
  readonly isKnown: (text: string) => boolean;
}

/** The one request with a need: most needs have no other, and it takes little room. */
interface Owner {
  readonly id: string;
  readonly tools: Tools;
}

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
  readonly #owners = new Map<string, Owner | Owners>();

  constructor(dimension: number) {
    this.#vectors = createPackedIndex(dimension);
  }

  get size(): number {
    return this.#owners.size;
  }

  has(text: string): boolean {
    return this.#owners.has(text);
  }

  /** A copy of the vector of a need that is held. */
  vectorOf(text: string): Float32Array | undefined {
    return this.#vectors.get(text);
  }

  add({ id, tools, needs }: PastIntent): void {
    for (const { text, vector } of needs) {
      if (!vector) continue;
      this.#owners.set(text, withOwner(this.#owners.get(text), { id, tools }));
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
      if (!owners || !forget(owners, id) || ('toolsOf' in owners && owners.toolsOf.size > 0))
        continue;
      this.#owners.delete(text);
      this.#vectors.delete(text);
    }
  }

  votes(question: Question, options: NeedVoteOptions): ReadonlyMap<ToolId, NeedVote> {
    const best = new Map<ToolId, NeedVote>();
    if (this.#vectors.size === 0) return best;
    const counted = this.#without(options.leftOut);
    for (const need of question.needs.length > 0 ? question.needs : [question]) {
      for (const [tool, share] of this.#shares(need, counted, options)) {
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
    { times: timesIn, isKnown }: Counted,
    { unrelated }: NeedVoteOptions,
  ): ReadonlyMap<ToolId, number> {
    const sums = new Map<ToolId, number>();
    if (!vector) return sums;
    const standing = standingIn(unrelated);
    const near = this.#vectors
      .nearest(vector, NEIGHBOURS, isKnown)
      .filter(({ similarity }) => standing(similarity) > UNRELATED);
    const nearest = near[0]?.similarity ?? 0;
    let total = 0;
    for (const { key, similarity } of near) {
      const weight = Math.exp((similarity - nearest) / SHARPNESS);
      for (const [tools, times] of timesIn(key)) {
        total += times * weight;
        for (const tool of tools) sums.set(tool, (sums.get(tool) ?? 0) + times * weight);
      }
    }
    // Of the way from unrelated to the very same; squared, because half of it is not half as good.
    const trust = (standing(nearest) / standing(1)) ** 2;
    for (const [tool, sum] of sums) sums.set(tool, (trust * sum) / (total + DOUBT));
    return sums;
  }

  /** What counts if some requests had never been. */
  #without(leftOut: readonly PastIntent[]): Counted {
    const less = new Map<string, Map<Tools, number>>();
    for (const { id, needs } of leftOut) {
      for (const text of new Set(needs.map((need) => need.text))) {
        const owners = this.#owners.get(text);
        const tools = owners && toolsOf(owners, id);
        if (!tools) continue;
        const times = less.get(text) ?? new Map(timesOf(owners));
        less.set(text, times);
        count(times, tools, -1);
      }
    }
    return {
      times: (text) => less.get(text) ?? timesOf(this.#owners.get(text)!),
      isKnown: (text) => less.get(text)?.size !== 0,
    };
  }
}

function withOwner(owners: Owner | Owners | undefined, owner: Owner): Owner | Owners {
  if (!owners || ('id' in owners && owners.id === owner.id)) return owner;
  if ('id' in owners) return withOwner(manyOf(owners), owner);
  forget(owners, owner.id);
  owners.toolsOf.set(owner.id, owner.tools);
  count(owners.times, owner.tools, 1);
  return owners;
}

function manyOf({ id, tools }: Owner): Owners {
  return { toolsOf: new Map([[id, tools]]), times: new Map([[tools, 1]]) };
}

function toolsOf(owners: Owner | Owners, id: string): Tools | undefined {
  if ('toolsOf' in owners) return owners.toolsOf.get(id);
  return owners.id === id ? owners.tools : undefined;
}

function timesOf(owners: Owner | Owners): Times {
  return 'times' in owners ? owners.times : new Map([[owners.tools, 1]]);
}

/** Whether it was there. */
function forget(owners: Owner | Owners, id: string): boolean {
  if ('id' in owners) return owners.id === id;
  const tools = owners.toolsOf.get(id);
  if (!tools) return false;
  count(owners.times, tools, -1);
  return owners.toolsOf.delete(id);
}

function count(times: Map<Tools, number>, tools: Tools, by: 1 | -1): void {
  const sum = (times.get(tools) ?? 0) + by;
  if (sum > 0) times.set(tools, sum);
  else times.delete(tools);
}
