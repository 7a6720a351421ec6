import { logOdds } from '../learning/index.js';
import type { Evidence, Likely } from './evidence.js';

/** What tells how far a suggested plan can be trusted. In this order. */
export const CONFIDENCE_SIGNALS = [
  'bias',
  /** How right its members are expected to be, as log-odds. */
  'expected',
  /** The least likely member, and the likeliest tool that is none, as log-odds. */
  'least',
  'rival',
  /** How far like runs had the same members, and the same as far as they can be trusted. */
  'agreement',
  'sureAgreement',
  'size',
  /** How far a request it is taken to repeat is not quite the same. */
  'nearlyRepeated',
] as const;

/** What of chosen members tells. */
interface Judged {
  readonly members: readonly Likely[];
  readonly others: readonly Likely[];
  readonly expected: number;
}

/** One number for each of `CONFIDENCE_SIGNALS`. */
export function confidenceSignals(
  { members, others, expected }: Judged,
  { similar, trust, repeated }: Pick<Evidence, 'similar' | 'trust' | 'repeated'>,
): Float64Array {
  const tools = new Set(members.map(({ tool }) => tool));
  let agreement = 0;
  for (const { plan, share } of similar) {
    const common = plan.tools.filter((tool) => tools.has(tool)).length;
    agreement += (share * 2 * common) / Math.max(1, plan.tools.length + tools.size);
  }
  // A plan of nothing has nothing to rely on.
  const least = members.reduce(
    (lowest, { probability }) => Math.min(lowest, probability),
    members.length === 0 ? 0 : 1,
  );
  const values: Record<(typeof CONFIDENCE_SIGNALS)[number], number> = {
    bias: 1,
    expected: logOdds(expected),
    least: logOdds(least),
    rival: logOdds(others[0]?.probability ?? 0),
    agreement,
    sureAgreement: trust * agreement,
    size: Math.log1p(members.length),
    nearlyRepeated: repeated ? 1 - repeated.likeness : 0,
  };
  return Float64Array.from(CONFIDENCE_SIGNALS, (signal) => values[signal]);
}
