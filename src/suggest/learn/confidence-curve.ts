import type { Claim } from '../../learning/index.js';

/** A claimed confidence, and how often such claims came true. */
interface CurvePoint {
  readonly claimed: number;
  readonly cameTrue: number;
}

/** Corrects claims and keeps their order. Least sure first. An empty curve changes no claim. */
export type ConfidenceCurve = readonly CurvePoint[];

/** The size of a group of claims. Smaller groups depend on chance. */
const TOGETHER = 20;
/** The prior: as if this many more claims were perfectly calibrated. */
const PRIOR_CLAIMS = 10;

interface Block {
  readonly count: number;
  readonly claimed: number;
  readonly right: number;
}

/**
 * How often claims came true, as a rising curve: an isotonic regression that pools neighbours that are
 * out of order. The fewer claims there are, the closer the curve stays to the claims themselves.
 */
export function fitCurve(claims: readonly Claim[]): ConfidenceCurve {
  const sorted = claims.toSorted((one, other) => one.confidence - other.confidence);
  const blocks: Block[] = [];
  for (let start = 0; start < sorted.length; start += TOGETHER) {
    let block = blockOf(sorted.slice(start, start + TOGETHER));
    for (let before = blocks.at(-1); before && level(before) >= level(block);) {
      block = joined(before, block);
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  return blocks.map((block) => ({
    claimed: block.claimed / block.count,
    cameTrue: level(block),
  }));
}

/** Interpolates linearly between the points of the curve. 0 stays 0, and 1 stays 1. */
export function correctedBy(curve: ConfidenceCurve, claimed: number): number {
  if (curve.length === 0) return claimed;
  const at = curve.findIndex((point) => point.claimed >= claimed);
  const before = (at < 0 ? curve.at(-1) : curve[at - 1]) ?? { claimed: 0, cameTrue: 0 };
  const after = curve[at] ?? { claimed: 1, cameTrue: 1 };
  const width = after.claimed - before.claimed;
  if (width <= 0) return after.cameTrue;
  const share = (claimed - before.claimed) / width;
  return before.cameTrue + share * (after.cameTrue - before.cameTrue);
}

function blockOf(claims: readonly Claim[]): Block {
  return {
    count: claims.length,
    claimed: claims.reduce((sum, { confidence }) => sum + confidence, 0),
    right: claims.filter(({ isRight }) => isRight).length,
  };
}

function joined(one: Block, other: Block): Block {
  return {
    count: one.count + other.count,
    claimed: one.claimed + other.claimed,
    right: one.right + other.right,
  };
}

function level({ count, claimed, right }: Block): number {
  return (right + (PRIOR_CLAIMS * claimed) / count) / (count + PRIOR_CLAIMS);
}
