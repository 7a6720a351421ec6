import { wantedLiterals } from '../fit/wanted-literals.js';
import type { Literal } from './literal.js';

/** What a request lists in one place: `Oslo` and `Rome` in "the weather in Oslo and Rome". */
export interface ListedValues {
  readonly values: readonly Literal[];
  /** The request as if it named this one of the values alone. */
  readonly onlyFor: (value: Literal) => string;
}

/** Between two elements; a small word may be said again: "in Oslo and in Rome". */
const BETWEEN = /^(?:,|,?\s+and|,?\s+as well as|\s*&)\s+(?:(\p{Ll}{2,5})\s+)?$/u;

/** The first list of at least two different values of a kind, as far as nothing but commas and `and` is between. */
export function listedValues(request: string): ListedValues | undefined {
  const literals = wantedLiterals(request);
  for (const [place, first] of literals.entries()) {
    let end = place + 1;
    while (end < literals.length && follows(request, literals[end - 1]!, literals[end]!)) end++;
    const values = literals.slice(place, end);
    const isList = new Set(values.map(({ text }) => text)).size === values.length;
    if (values.length < 2 || !isList) continue;
    const last = values.at(-1)!;
    return {
      values,
      onlyFor: ({ start, end: to }) => {
        return request.slice(0, first.start) + request.slice(start, to) + request.slice(last.end);
      },
    };
  }
  return undefined;
}

function follows(request: string, one: Literal, other: Literal): boolean {
  if (one.kind !== other.kind || one.label !== undefined || other.label !== undefined) return false;
  const between = BETWEEN.exec(request.slice(one.end, other.start));
  if (!between) return false;
  const [, again] = between;
  return again === undefined || again === leadOf(request, one);
}

/** The word right before a literal, as it is written. */
function leadOf(request: string, { start }: Literal): string | undefined {
  return /(\p{L}+)\s+$/u.exec(request.slice(0, start))?.[1]?.toLowerCase();
}
