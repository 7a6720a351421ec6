import type { ParameterWants } from '../arguments/parameter-wants.js';
import { isSaidOfPerson } from './literal-fit.js';
import type { Literal } from './literal.js';

/** A literal that can be put into a parameter, or a part of one, or a list of them. */
export interface LiteralPart {
  readonly literal: Literal;
  /** The parameters that it is for, where their names say so, and how sure that is. */
  readonly only?: { readonly param: string; readonly score: number };
  /** Literals listed behind it, for parameters that take several. */
  readonly also?: readonly Literal[];
  /** Stands in a list, and goes with it where one is taken. */
  readonly isListed?: boolean;
}

/**
 * What can be assigned. A tool with `owner` and `repo` takes the two halves of `acme/site`, one with
 * `first_name` and `last_name` those of a name: the only literals that go into two parameters.
 */
export function literalParts(
  literals: readonly Literal[],
  open: readonly ParameterWants[],
): readonly LiteralPart[] {
  const owner = open.find(({ words }) => words.length === 1 && isOwner(words[0]!));
  const repository = open.find(({ words }) => words.includes('repository'));
  const first = open.find(({ words }) => spells(words, 'first name', 'given name'));
  const last = open.find(({ words }) => spells(words, 'last name', 'family name', 'surname'));
  return literals.flatMap((literal, place): readonly LiteralPart[] => {
    if (literal.kind === 'repository' && owner && repository) {
      const [one = '', two = ''] = literal.text.split('/');
      return [part(literal, one, owner, 0.8), part(literal, two, repository, 0.8)];
    }
    if (literal.kind === 'name' && first && last) {
      const words = literal.text.split(/\s+/);
      const score = personScore(literal, literals);
      if (words.length !== 2 || score === 0) return [];
      return [part(literal, words[0]!, first, score), part(literal, words[1]!, last, score)];
    }
    const also = listedBehind(literals, place);
    if (also.length > 0)
      return [
        { literal, isListed: true },
        { literal, also },
      ];
    const before = literals[place - 1];
    const isListed = before !== undefined && isNext(before, literal);
    return [{ literal: isListed ? asListed(literals, place) : literal, isListed }];
  });
}

/** The word before a list of names applies to each name: "in Vienna and Graz". */
function asListed(literals: readonly Literal[], place: number): Literal {
  let first = place;
  while (first > 0 && isNext(literals[first - 1]!, literals[first]!)) first--;
  const [head, literal] = [literals[first]!, literals[place]!];
  return literal.kind === 'name' ? { ...literal, before: head.before } : literal;
}

const isOwner = (word: string) => word === 'owner' || word === 'organization';

function spells(words: readonly string[], ...names: readonly string[]): boolean {
  return names.includes(words.join(' '));
}

const PLACES = new Set('in at near from to of around'.split(' '));

/** Whether a name of two words is that of a person. */
function personScore(literal: Literal, literals: readonly Literal[]): number {
  if (isSaidOfPerson(literal.before)) return 0.85;
  if (PLACES.has(literal.before[0] ?? '')) return 0;
  const others = literals.filter(
    ({ kind, text, before }) =>
      kind === 'name' &&
      text.includes(' ') &&
      !PLACES.has(before[0] ?? '') &&
      text !== literal.text,
  );
  return others.length === 0 ? 0.6 : 0.3;
}

function part(
  literal: Literal,
  text: string,
  { parameter }: ParameterWants,
  score: number,
): LiteralPart {
  return {
    literal: { ...literal, kind: 'text', text, value: text },
    only: { param: parameter.path, score },
  };
}

/** Whether a request lists a literal with others: none of them alone is the value that is wanted. */
export function isOneOfSeveral(literal: Literal, literals: readonly Literal[]): boolean {
  const place = literals.indexOf(literal);
  const [before, after] = [literals[place - 1], literals[place + 1]];
  return (
    (before !== undefined && isNext(before, literal)) ||
    (after !== undefined && isNext(literal, after))
  );
}

/** Those of the same kind that follow with nothing but commas and `and` between. */
function listedBehind(literals: readonly Literal[], place: number): readonly Literal[] {
  const [before, head] = [literals[place - 1], literals[place]!];
  if (before && isNext(before, head)) return [];
  let end = place + 1;
  while (end < literals.length && isNext(literals[end - 1]!, literals[end]!)) end++;
  return literals.slice(place + 1, end);
}

function isNext(one: Literal, other: Literal): boolean {
  const gap = other.start - one.end;
  if (one.kind !== other.kind || gap < 1 || gap > 7) return false;
  const [between] = other.before;
  // With "and" between it is the nearest word before; with a comma there is none of its own.
  return between === 'and' ? gap <= 7 : gap <= 2;
}
