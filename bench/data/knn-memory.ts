import type { ToolId } from '../../src/core/index.js';
import type { PastIntent, Question, RankingSources } from '../../src/ranking/index.js';

/** Number of past requests that vote. */
const NEIGHBOURS = 20;
/** How fast the vote of a neighbour decays with its distance, and the most all votes may add. */
const SHARPNESS = 0.025;
const SHARE = 0.1;

type VectorOf = Pick<Question, 'vector'>;

/**
 * The simplest memory, as a baseline: ranks tools by the votes of the most similar past requests
 * (cosine), and tools without votes by the cosine of their texts.
 */
export function knnVotes(
  { vector }: VectorOf,
  past: readonly PastIntent[],
  { tools }: RankingSources,
): readonly ToolId[] {
  const votes = new Map<ToolId, number>();
  for (const { intent, cosine } of nearest(vector!, past)) {
    for (const tool of intent.tools) votes.set(tool, (votes.get(tool) ?? 0) + cosine);
  }
  // A single vote outweighs any cosine.
  return ordered(vector!, tools!, (tool) => 10 * (votes.get(tool) ?? 0));
}

/** The same with votes and cosine added, and votes weighted by similarity. */
export function knnShares(
  { vector }: VectorOf,
  past: readonly PastIntent[],
  { tools }: RankingSources,
): readonly ToolId[] {
  const near = nearest(vector!, past);
  const weights = near.map(({ cosine }) => Math.exp((cosine - near[0]!.cosine) / SHARPNESS));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = new Map<ToolId, number>();
  near.forEach(({ intent }, at) => {
    for (const tool of intent.tools) {
      shares.set(tool, (shares.get(tool) ?? 0) + weights[at]! / total);
    }
  });
  return ordered(vector!, tools!, (tool) => SHARE * (shares.get(tool) ?? 0));
}

function nearest(vector: Float32Array, past: readonly PastIntent[]) {
  return past
    .map((intent) => ({ intent, cosine: cosineOf(vector, intent.vector!) }))
    .toSorted((one, other) => other.cosine - one.cosine)
    .slice(0, NEIGHBOURS);
}

function ordered(
  vector: Float32Array,
  tools: NonNullable<RankingSources['tools']>,
  more: (tool: ToolId) => number,
): readonly ToolId[] {
  const { scores, keyOf } = tools.similarities(vector);
  return Array.from(scores, (cosine, row) => {
    const tool = keyOf(row)!;
    return { tool, score: cosine + more(tool) };
  })
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

function cosineOf(one: Float32Array, other: Float32Array): number {
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!;
    first += one[at]! ** 2;
    second += other[at]! ** 2;
  }
  return product / Math.sqrt(first * second);
}
