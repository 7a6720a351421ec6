import { parseToolId, type ServerName, type ToolId } from '../../core/index.js';
import { NEARLY_EQUAL } from '../../learning/index.js';
import type { Similarities } from '../../search/index.js';
import { BestOf } from '../best-of.js';
import type { PastIntent } from '../question.js';
import type { Spread } from '../spread.js';
import { type CompanyCounts, serversOf } from './company.js';
import type { NeedVote } from './need-memory.js';
import { NEIGHBOURS, SHARPNESS, standingIn, trustIn, UNRELATED } from './neighbour-weight.js';
import type { ToolLists } from './tool-lists.js';

/** What the past says about one tool, for one question. */
export interface ToolRecall {
  /** The share of the nearest past requests that the tool served, as far as they are near. */
  readonly vote: number;
  /** How alike the nearest request is that it served, in deviations above unrelated ones. */
  readonly near: number;
  /** Of the past requests that nearly equal this one: the share that the tool served. */
  readonly repeat: number;
  /** How many words the nearest request that it served has in common, near 1 for the best tool. */
  readonly words: number;
  readonly needs: NeedVote;
  readonly uses: number;
  /** The same for any tool of its server. */
  readonly serverVote: number;
  readonly serverUses: number;
}

/** A past request that is like the question. */
export interface SimilarIntent {
  readonly id: string;
  /** Of what the nearest have to say, all of them together 1. */
  readonly share: number;
}

export interface Recall {
  /** The nearest past requests, most alike first; by their words where there are no vectors. */
  readonly similar: readonly SimilarIntent[];
  /** How far the nearest can be trusted to want the same, from 0 to 1. */
  readonly trust: number;
  /** How alike the nearest past request is, in deviations above the usual; 0 without vectors. */
  readonly nearest: number;
  /** How much the past can say about a new request: tools recur, and the nearest request is near. */
  readonly say: number;
  /** The same, for signals that are already weighted by nearness. */
  readonly recurrence: number;
  /** The past request most alike, if the tool served it. */
  of(tool: ToolId): ToolRecall;
  /** How much speaks for the tool, in one number. */
  strengthOf(tool: ToolId): number;
  /** Tools anything speaks for. */
  readonly tools: Iterable<ToolId>;
  readonly company: CompanyCounts;
}

/** Past requests go by numbers. */
export interface RecallParts {
  readonly intents: readonly (PastIntent | undefined)[];
  readonly lists: ToolLists;
  /** The list of tools that served each. */
  readonly listOf: readonly number[];
  /** How many requests there are that are not left out. */
  readonly count: number;
  readonly leftOut: ReadonlySet<number>;
  /** Requests with the same words as the question. The caller may leave some of them out. */
  readonly sameWords: readonly number[];
  /** The probability that a needed tool has served another request before. */
  readonly recurrence: number;
  /** With the request each row is of. */
  readonly similarities: (Similarities<string> & { readonly byRow: Int32Array }) | undefined;
  /** How alike the question is to texts that have nothing to do with it, where that is known. */
  readonly unrelated: Spread | undefined;
  /** How many of its words each has; 0 of those left out. */
  readonly overlaps: Float64Array;
  readonly needVotes: (base: (tool: ToolId) => number) => ReadonlyMap<ToolId, NeedVote>;
  readonly company: CompanyCounts;
}

/** The weight of a request with nearly the same meaning. A request with the same words weighs 1. */
const NEARLY_THE_SAME_SAY = 0.5;
/** So small a share of a request's words is chance. */
const FEW_WORDS = 0.15;
const NO_VOTE: NeedVote = { vote: 0, lift: 0 };
const NOTHING: ToolRecall = {
  vote: 0,
  near: 0,
  repeat: 0,
  words: 0,
  needs: NO_VOTE,
  uses: 0,
  serverVote: 0,
  serverUses: 0,
};

export const NO_MEMORY: Recall = {
  similar: [],
  trust: 0,
  nearest: 0,
  say: 0,
  recurrence: 0,
  of: () => NOTHING,
  strengthOf: () => 0,
  tools: [],
  company: { uses: () => 0, serverUses: () => 0, companions: () => [] },
};

export function recallFrom(parts: RecallParts): Recall {
  const { company, count, recurrence } = parts;
  const near = nearestOf(parts);
  const { words, most } = wordsOf(parts);
  const repeats = repeatsOf(parts);
  // A tool never seen counts as seen once among ten more, so that no share is zero.
  const base = (tool: ToolId) => (company.uses(tool) + 1) / (count + 10);
  const needs = parts.needVotes(base);
  return {
    similar: near.similar ?? similarByWords(parts),
    trust: near.trust,
    nearest: near.best,
    say: recurrence * (parts.similarities ? near.trust : Math.min(1, most)),
    recurrence,
    of(tool) {
      const { server } = parseToolId(tool);
      return {
        vote: near.votes.get(tool) ?? 0,
        near: near.likeness.get(tool) ?? 0,
        repeat: repeats.get(tool) ?? 0,
        words: words.get(tool) ?? 0,
        needs: needs.get(tool) ?? NO_VOTE,
        uses: company.uses(tool),
        serverVote: near.serverVotes.get(server) ?? 0,
        serverUses: company.serverUses(server),
      };
    },
    strengthOf: (tool) =>
      20 * (repeats.get(tool) ?? 0) +
      4 * (near.votes.get(tool) ?? 0) +
      (near.likeness.get(tool) ?? 0) / 4 +
      (words.get(tool) ?? 0) +
      4 * (needs.get(tool)?.vote ?? 0),
    get tools() {
      return keysOf(near.likeness, words, needs, repeats);
    },
    company,
  };
}

/** The keys of all maps, each once. */
function* keysOf(...maps: readonly ReadonlyMap<ToolId, unknown>[]): Generator<ToolId, void> {
  for (const [at, map] of maps.entries()) {
    const before = maps.slice(0, at).filter(({ size }) => size > 0);
    for (const key of map.keys()) if (!before.some((other) => other.has(key))) yield key;
  }
}

function nearestOf({ similarities, intents, lists, listOf, unrelated, leftOut }: RecallParts) {
  const votes = new Map<ToolId, number>();
  const serverVotes = new Map<ServerName, number>();
  if (!similarities) {
    const likeness: ReadonlyMap<ToolId, number> = new Map();
    return { best: 0, trust: 0, similar: undefined, votes, serverVotes, likeness };
  }
  const { scores, byRow, best } = similarities;
  const standing = standingIn(unrelated);
  const isLeftOut = (row: number) => leftOut.size > 0 && leftOut.has(byRow[row]!);
  const nearestWith = new Float64Array(lists.bound);
  for (let row = 0; row < scores.length; row++) {
    const above = standing(scores[row]!) - UNRELATED;
    if (above <= 0 || isLeftOut(row)) continue;
    const list = listOf[byRow[row]!]!;
    if (above > nearestWith[list]!) nearestWith[list] = above;
  }
  const likeness = lists.bestByTool(nearestWith);
  const nearest = best(NEIGHBOURS, (row) => !isLeftOut(row));
  const weights = nearest.map((row) => Math.exp((scores[row]! - scores[nearest[0]!]!) / SHARPNESS));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const nearestRow = nearest[0];
  const bestStanding = nearestRow === undefined ? 0 : Math.max(0, standing(scores[nearestRow]!));
  const trust = trustIn(bestStanding);
  nearest.forEach((row, place) => {
    const { tools } = intents[byRow[row]!]!;
    const share = (trust * weights[place]!) / total;
    for (const tool of tools) votes.set(tool, (votes.get(tool) ?? 0) + share);
    for (const server of serversOf(tools)) {
      serverVotes.set(server, (serverVotes.get(server) ?? 0) + share);
    }
  });
  const similar = nearest.map((row, place) => {
    return { id: intents[byRow[row]!]!.id, share: weights[place]! / total };
  });
  return { best: bestStanding, trust, similar, votes, serverVotes, likeness };
}

/**
 * The tools that served the same request before. A past request with the same words counts fully. A
 * past request with nearly the same meaning counts by its likeness.
 */
function repeatsOf({ similarities, sameWords, intents, leftOut }: RecallParts) {
  const sameness = new Map<number, number>();
  if (similarities) {
    const { scores, byRow, best } = similarities;
    for (const row of best(NEIGHBOURS, (one) => !leftOut.has(byRow[one]!))) {
      const share = (scores[row]! - NEARLY_EQUAL) / (1 - NEARLY_EQUAL);
      if (share > 0) sameness.set(byRow[row]!, NEARLY_THE_SAME_SAY * Math.min(1, share));
    }
  }
  for (const number of sameWords) if (!leftOut.has(number)) sameness.set(number, 1);
  const repeats = new Map<ToolId, number>();
  const total = [...sameness.values()].reduce((sum, share) => sum + share, 0);
  const most = Math.max(0, ...sameness.values());
  for (const [number, share] of sameness) {
    for (const tool of intents[number]!.tools) {
      repeats.set(tool, (repeats.get(tool) ?? 0) + (most * share) / total);
    }
  }
  return repeats;
}

/** Without vectors: those that share the most words, by how many they share. */
function similarByWords({ overlaps, intents }: RecallParts): readonly SimilarIntent[] {
  const idOf = (number: number) => intents[number]!.id;
  const nearest = new BestOf<number>(NEIGHBOURS, (one, other) => idOf(one) < idOf(other));
  for (let number = 0; number < overlaps.length; number++) {
    if (overlaps[number]! > 0) nearest.offer(number, overlaps[number]!);
  }
  const weights = nearest.values.map((share) => share ** 4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return nearest.items.map((number, place) => ({
    id: idOf(number),
    share: weights[place]! / total,
  }));
}

/** The share of the best, and less where even the best shares few words. */
function wordsOf({ overlaps, lists, listOf }: RecallParts) {
  const mostWith = new Float64Array(lists.bound);
  let most = 0;
  for (let number = 0; number < overlaps.length; number++) {
    const share = overlaps[number]!;
    if (share === 0) continue;
    if (share > most) most = share;
    const list = listOf[number]!;
    if (share > mostWith[list]!) mostWith[list] = share;
  }
  const best = lists.bestByTool(mostWith);
  for (const [tool, share] of best) best.set(tool, share / (most + FEW_WORDS));
  return { words: best, most };
}
