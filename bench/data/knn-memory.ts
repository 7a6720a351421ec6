import type { ToolId } from '../../src/core/index.js';
import type { PastIntent, Question, RankingSources } from '../../src/ranking/index.js';

/** So many past requests vote. */
const NEIGHBOURS = 20;
/** How fast a neighbour loses its say as it gets less alike, and what all of them together may add. */
const SHARPNESS = 0.025;
const SHARE = 0.1;

type VectorOf = Pick<Question, 'vector'>;

/**
 * The simplest memory there is, to be compared with: tools by the votes of the past requests that are
 * most alike, by cosine; those nobody voted for by the cosine of their texts.
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
  // A vote of anybody counts more than any cosine.
  return ordered(vector!, tools!, (tool) => 10 * (votes.get(tool) ?? 0));
}

/** The same with both added up, and the most alike counting most. */
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
