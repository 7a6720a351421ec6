import { nameWords } from '../../words/index.js';
import { classifyToken, type TokenLiteral } from './classify-token.js';
import { readDates } from './literal-dates.js';
import { readNames } from './literal-names.js';
import { readQuotes } from './literal-quotes.js';
import type { FoundLiteral, Literal } from './literal.js';

export interface FindLiteralsOptions {
  /** Today for the user, `2026-03-14`; without it `tomorrow` stays a word. */
  readonly today?: string;
  /** Stops after this many; a request with more is a document. Default: all. */
  readonly most?: number;
}

const NEIGHBOURS = 4;
/** Characters that certainly contain enough words. */
const NEIGHBOURHOOD = 80;
/** A quoted path may contain blanks. */
const QUOTED_PATH = /^(?:(?:~|\.{1,2})?\/|[A-Za-z]:\\)/;
const PATH_WORDS = new Set(['file', 'folder', 'directory', 'dir', 'path']);
const PLAIN_PATH = /^[\w.@~-]+(?:[\\/][\w.@~-]+)*[\\/]?$/;
/** Matches many names: `*.txt`. */
const GLOB = /^[\w.@/-]*\*[\w.@/*-]*$/;
const SENTENCE_END = /[.!?;:](?=\s)|[\n\r。！？]/gu;
/** Longer tokens are data that a user would not name. */
const LONGEST_TOKEN = 2_000;
const TOKEN = /\S+/gu;
const LEADING = new Set('([{<"\'“‘«„,;:—–-'.split(''));
const TRAILING = new Set(')]}>"\'”’»“,;:.!?…—–。，、！？'.split(''));

/** Finds the literals of a request, in order and without overlap, in time linear to its length. */
export function findLiterals(
  intent: string,
  options: FindLiteralsOptions = {},
): readonly Literal[] {
  const taken = new Taken(intent.length);
  const found: FoundLiteral[] = [];
  const take = (literals: Iterable<FoundLiteral>) => {
    for (const literal of literals) {
      if (!taken.take(literal.start, literal.end)) continue;
      found.push(literal);
    }
  };
  take([...readQuotes(intent)].map(unquoted));
  take([...readDates(intent, options.today)].filter((date) => standsAlone(intent, date)));
  take(readTokens(intent, taken));
  take(readNames(intent, (start, end) => taken.isFree(start, end)));
  return found
    .toSorted((a, b) => a.start - b.start)
    .slice(0, options.most)
    .map((literal) => inContext({ isExact: true, ...literal, ...neighbours(intent, literal) }));
}

/** The folder "notes" is a path as much as `notes/`. */
function inContext(literal: Literal): Literal {
  const { kind, looks, before, text } = literal;
  const isPath = kind === 'quoted' && looks === undefined && PATH_WORDS.has(before[0] ?? '');
  return isPath && PLAIN_PATH.test(text) ? { ...literal, looks: 'path' } : literal;
}

function unquoted(literal: FoundLiteral): FoundLiteral {
  const { kind, text } = literal;
  if (kind !== 'quoted' || text.length > LONGEST_TOKEN) return literal;
  if (QUOTED_PATH.test(text)) return { ...literal, looks: 'path' };
  if (/\s/.test(text)) return literal;
  if (GLOB.test(text)) return { ...literal, looks: 'code' };
  const dates = [...readDates(text, undefined)].filter((date) => standsAlone(text, date));
  const [only, ...more] = [...dates, ...classifyToken(text)];
  const isWhole = only?.text === text && (more.length === 0 || 'start' in only);
  return isWhole ? { ...literal, looks: only.kind } : literal;
}

/** `today` inside a URL is a part of it. */
function standsAlone(intent: string, { start, end }: FoundLiteral): boolean {
  const isJoined = /[/\\@#&?_.-]$/.test(intent.slice(Math.max(0, start - 1), start));
  return !isJoined && !/^(?:[/\\_]|[.@-]\w)/.test(intent.slice(end, end + 2));
}

function* readTokens(intent: string, taken: Taken): Generator<FoundLiteral> {
  for (const { 0: whole, index } of intent.matchAll(TOKEN)) {
    if (whole.length > LONGEST_TOKEN || !taken.isFree(index, index + 1)) continue;
    const [from, to] = trimmed(whole);
    const token = whole.slice(from, to);
    if (!token || !taken.isFree(index + from, index + to)) continue;
    for (const literal of classifyToken(token)) yield placed(literal, intent, index + from);
  }
}

function placed(literal: TokenLiteral, intent: string, offset: number): FoundLiteral {
  const { from, to, ...rest } = literal;
  const end = offset + to;
  const unit = rest.unit ?? (rest.kind === 'number' ? unitAfter(intent, end) : undefined);
  return { ...rest, start: offset + from, end, ...(unit !== undefined && { unit }) };
}

function unitAfter(intent: string, end: number): string | undefined {
  return /^[ -](\p{L}{1,20})/u.exec(intent.slice(end, end + 24))?.[1]?.toLowerCase();
}

/** Strips surrounding brackets and punctuation. A bracket pair inside stays: `f(x)`. */
function trimmed(token: string): readonly [from: number, to: number] {
  let [from, to] = [0, token.length];
  while (from < to && LEADING.has(token[from]!) && !/^-\d/.test(token.slice(from, from + 2)))
    from++;
  while (to > from && TRAILING.has(token[to - 1]!)) to--;
  return [from, to];
}

function neighbours(
  intent: string,
  { start, end, label }: FoundLiteral,
): Pick<Literal, 'before' | 'after'> {
  const head = intent.slice(Math.max(0, start - NEIGHBOURHOOD), start);
  const tail = intent.slice(end, end + NEIGHBOURHOOD);
  const ends = [...head.matchAll(SENTENCE_END)];
  const last = ends.filter(({ 0: mark }) => mark !== ':').at(-1);
  const before = nameWords(last ? head.slice(last.index + 1) : head).toReversed();
  const first = [...tail.matchAll(SENTENCE_END)][0];
  const after = nameWords(first ? tail.slice(0, first.index) : tail);
  return {
    before: [...(label === undefined ? [] : nameWords(label).toReversed()), ...before].slice(
      0,
      NEIGHBOURS,
    ),
    after: after.slice(0, NEIGHBOURS),
  };
}

/** Which parts of the request already belong to a literal. */
class Taken {
  readonly #places: Uint8Array;

  constructor(length: number) {
    this.#places = new Uint8Array(length);
  }

  isFree(start: number, end: number): boolean {
    return !this.#places.subarray(start, end).includes(1);
  }

  take(start: number, end: number): boolean {
    if (!this.isFree(start, end)) return false;
    this.#places.fill(1, start, end);
    return true;
  }
}
