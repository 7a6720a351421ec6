import { shapeOf } from '../arguments/parameter-wants.js';
import type { Literal } from './literal.js';

/** The literal that now stands where the value of a past call stood in its request. */
export interface Alignment {
  readonly literal: Literal;
  /** From 0 to 1. */
  readonly score: number;
}

/** The score of two literals that have only their kind in common: a match may be chance. */
const KIND_ALONE = 0.35;
const ONLY_OF_KIND = 0.3;

/** The literal of a request that plays the part another one played in a similar request. */
export function alignLiteral(
  past: Literal,
  pastLiterals: readonly Literal[],
  literals: readonly Literal[],
): Alignment | undefined {
  const alike = literals.filter((one) => isSameSort(past, one));
  const before = pastLiterals.filter(({ kind }) => kind === past.kind);
  const areOnly = alike.length === 1 && before.length === 1;
  const scored = alike
    .map((literal) => ({ literal, score: likeness(past, literal) }))
    .toSorted((a, b) => b.score - a.score || a.literal.start - b.literal.start);
  const [best, next] = scored;
  if (!best) return undefined;
  // Two equally likely literals cannot be distinguished.
  const isTied = next !== undefined && next.score >= best.score - 0.05;
  const score = best.score + (areOnly ? ONLY_OF_KIND : 0);
  return { literal: best.literal, score: Math.min(1, isTied ? score * 0.5 : score) };
}

function isSameSort(past: Literal, one: Literal): boolean {
  if (one.kind !== past.kind || one.label !== past.label) return false;
  // Ids of different things look different.
  return one.kind !== 'id' || shapeOf(one.text) === shapeOf(past.text);
}

function likeness(past: Literal, literal: Literal): number {
  if (past.label !== undefined) return 1;
  const unit = past.unit !== undefined && past.unit === literal.unit ? 0.3 : 0;
  return (
    KIND_ALONE +
    unit +
    0.4 * sharedWords(past.before, literal.before) +
    0.25 * sharedWords(past.after, literal.after)
  );
}

/** The nearest word counts most, as it says the role of the literal. */
function sharedWords(some: readonly string[], others: readonly string[]): number {
  if (some.length === 0 && others.length === 0) return 0.5;
  const nearest = some[0] !== undefined && some[0] === others[0] ? 0.6 : 0;
  const [near, far] = [new Set(some.slice(0, 3)), new Set(others.slice(0, 3))];
  const shared = [...near].filter((word) => far.has(word)).length;
  return nearest + (0.4 * shared) / Math.max(1, Math.min(near.size, far.size));
}
