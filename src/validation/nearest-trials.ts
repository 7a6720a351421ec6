import type { Finding } from './violation.js';

type Trials = readonly (readonly Finding[])[];

/**
 * Of several forms that a value does not fit, those it is nearest to: not of another kind, wrong deep
 * inside rather than as a whole, and in few places. More than one if they are equally near.
 */
export function nearestTrials(trials: Trials): Trials {
  const ranked = trials
    .filter((found) => found.length > 0)
    .map((found) => ({ found, rank: rankOf(found) }))
    .toSorted((a, b) => compare(a.rank, b.rank));
  const [best] = ranked;
  if (!best) return [];
  return ranked.filter(({ rank }) => compare(rank, best.rank) === 0).map(({ found }) => found);
}

/** Smaller is nearer. To be of another kind is worse than anything beside the mark that says so. */
function rankOf(found: readonly Finding[]): readonly number[] {
  const depth = Math.min(...found.map((one) => (one.decides ? one.depth - 0.5 : one.depth)));
  return [-depth, found.length];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

const EXPECTED = /^expected (.*), got (.*)$/s;

/** One sentence for forms that all want another value in the same place: "expected string or null". */
export function mergeExpected(trials: Trials): Finding | undefined {
  const [first] = trials.flat();
  if (!first || trials.some((found) => found.length !== 1)) return undefined;
  const wanted = new Set<string>();
  let got = '';
  for (const { path, message } of trials.flat()) {
    const parts = EXPECTED.exec(message);
    if (!parts || path !== first.path) return undefined;
    wanted.add(parts[1] ?? '');
    got = parts[2] ?? '';
  }
  return { ...first, message: `expected ${[...wanted].join(' or ')}, got ${got}` };
}
