import { findLiterals, type FindLiteralsOptions } from '../literals/intent-literals.js';
import type { Literal } from '../literals/literal.js';
import { refusedParts } from './asked-work.js';

/** What stands between the elements of a list. */
const LISTED = /^\s*,?\s*(?:(?:and|or|nor)\s+)?$/i;

/** Making one plan asks for the literals of a request some twenty times, and for those of past ones. */
const known = new Map<string, readonly Literal[]>();
const MOST_KNOWN = 64;
/** A longer request is a document: not worth its memory. */
const LONGEST_KNOWN = 4_000;

/**
 * The literals of a request without those of a change that the request refuses: in "do not write to
 * x.txt, just read y.txt" nothing is to be done with `x.txt`. A list of such literals goes on behind a
 * comma.
 */
export function wantedLiterals(
  request: string,
  options: FindLiteralsOptions = {},
): readonly Literal[] {
  if (request.length > LONGEST_KNOWN) return readWanted(request, options);
  const key = `${options.today ?? ''} ${options.most ?? ''} ${request}`;
  const literals = known.get(key) ?? readWanted(request, options);
  // What was asked for last is forgotten last.
  known.delete(key);
  known.set(key, literals);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
  return literals;
}

function readWanted(request: string, options: FindLiteralsOptions): readonly Literal[] {
  const literals = findLiterals(request, options);
  const parts = refusedParts(request, literals);
  if (parts.length === 0) return literals;
  const refused = new Set<Literal>();
  for (const [place, literal] of literals.entries()) {
    const last = literals[place - 1];
    const isListed =
      last && refused.has(last) && LISTED.test(request.slice(last.end, literal.start));
    const isInside = parts.some(({ start, end }) => start <= literal.start && literal.end <= end);
    if (isListed || isInside) refused.add(literal);
  }
  return literals.filter((one) => !refused.has(one));
}
