import type { JsonValue } from '../../core/index.js';
import { SURE } from '../../learning/index.js';
import { isMeant, literalFit } from '../literals/literal-fit.js';
import { literalParts } from '../literals/literal-parts.js';
import { literalValue } from '../literals/literal-value.js';
import type { Literal } from '../literals/literal.js';
import type { PlannableTool } from '../plannable-tool.js';
import { isAllowed } from './fill-nested.js';
import type { ParameterWants } from './parameter-wants.js';

/** A literal, or a part or a list of them, that a parameter of a task could be given. */
export interface ArgumentCandidate {
  /** Place of the parameter among the open ones. */
  readonly row: number;
  /** Stands for the literal. */
  readonly column: number;
  readonly param: string;
  readonly score: number;
  readonly value: JsonValue;
  readonly because: string;
  /** Where the literal stands in the request. */
  readonly start: number;
}

/** The only one of its kind, wanted in one place only. */
const ONLY_ONE = 0.12;
const MOST_LIKELY = 0.97;
/** Checking a value costs more than comparing words; what is so far behind is not taken anyway. */
const CHECKED = 12;

const LARGER_PLACES = new Set('country state region province'.split(' '));

/** For each parameter the literals that may go there, all of them allowed by the schema. */
export function argumentCandidates(
  { id, inputSchema }: PlannableTool,
  open: readonly ParameterWants[],
  literals: readonly Literal[],
): readonly ArgumentCandidate[] {
  const parts = literalParts(literals, open);
  const name = lettersOf(id);
  return open.flatMap((wants, row) => {
    const { path: param, types } = wants.parameter;
    const bonus = isOnlyOne(wants, open, literals) ? ONLY_ONE : 0;
    const fitting = parts.flatMap(
      ({ literal, only, also, isListed }, column): ArgumentCandidate[] => {
        if ((only && only.param !== param) || (isListed && types.includes('array'))) return [];
        if (isOfTool(literal, name)) return [];
        const value = literalValue(literal, wants.parameter, also);
        if (value === undefined) return [];
        const fit = literalFit(literal, wants);
        const plain = (only?.score ?? fit.score) * purposeOf(literal, wants, open);
        if (plain <= 0) return [];
        const score = plain >= SURE ? Math.min(MOST_LIKELY, plain + bonus) : plain;
        const because = fit.because || 'it is a part of what the request names';
        return [{ row, column, param, score, value, because, start: literal.start }];
      },
    );
    return fitting
      .toSorted((a, b) => b.score - a.score || a.start - b.start)
      .slice(0, CHECKED)
      .filter(({ value }) => isAllowed(inputSchema, param, value));
  });
}

/** Who asks for a song on Spotify names the tool, not the song. */
function isOfTool({ kind, text }: Literal, toolName: string): boolean {
  const letters = lettersOf(text);
  return kind === 'name' && letters.length > 3 && toolName.includes(letters);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Less than 1 where the literal is rather there for another purpose than this one. */
function purposeOf(
  { kind }: Literal,
  { words }: ParameterWants,
  open: readonly ParameterWants[],
): number {
  // A place is a city before it is anything larger.
  const isLarger = words.some((word) => LARGER_PLACES.has(word));
  const isCity = (other: ParameterWants) => other.words.includes('city');
  return kind === 'name' && isLarger && open.some(isCity) ? 0.5 : 1;
}

function isOnlyOne(
  wants: ParameterWants,
  open: readonly ParameterWants[],
  literals: readonly Literal[],
): boolean {
  const ofKind = literals.filter((literal) => isMeant(literal, wants));
  const rivals = open.filter((other) => [...wants.own].some((kind) => other.own.has(kind)));
  return ofKind.length === 1 && rivals.length === 1;
}
