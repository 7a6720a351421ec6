/**
 * Patterns come from strangers and run on our only thread, where nothing can interrupt them. A
 * backtracking engine tries at most as many ways as the choices of its quantifiers and alternatives
 * multiply to, as long as none of them stands inside a repeated group. So that product is what bounds
 * the length of the texts a pattern is tried on, and a repeated group with choices inside is never tried.
 */

export interface SafePattern {
  /** Undefined for a text that is too long for this pattern. */
  test(text: string): boolean | undefined;
}

const MAX_WAYS = 1_000_000;
/** A text may be of any length for a pattern that only looks at its beginning; within reason. */
const MAX_LENGTH = 100_000;
const MAX_PATTERN = 2_000;

/** Undefined for a pattern that is broken or could run for too long. */
export function safePattern(source: string): SafePattern | undefined {
  if (source.length > MAX_PATTERN) return undefined;
  const pattern = compile(source);
  const choices = pattern && countChoices(source);
  if (!pattern || !choices) return undefined;
  const longest = longestText(choices);
  return { test: (text) => (text.length > longest ? undefined : tryTest(pattern, text)) };
}

/** With the `u` flag as the standard wants it, without it as many authors write it. */
function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Broken in this dialect; the next one may take it.
    }
  }
  return undefined;
}

/** An engine finds out that a pattern is too big for it only when it first tries it. */
function tryTest(pattern: RegExp, text: string): boolean | undefined {
  try {
    return pattern.test(text);
  } catch {
    return undefined;
  }
}

interface Choices {
  /** Quantifiers without an end, each of which may take any length; one more if the start is free. */
  unbounded: number;
  /** What all the others multiply to. */
  ways: number;
}

function longestText({ unbounded, ways }: Choices): number {
  if (ways > MAX_WAYS) return 0;
  const longest = unbounded === 0 ? MAX_LENGTH : (MAX_WAYS / ways) ** (1 / unbounded);
  return Math.min(MAX_LENGTH, Math.floor(longest));
}

const TOKEN =
  /\\[kpPxu](?:\{[^}]*\}|<[^>]*>)|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)(?<quantifier>[*+?]|\{\d+(?:,\d*)?\})?|(?<repeat>[*+?]|\{\d+(?:,\d*)?\})|\||[^]/gu;
const BACK_REFERENCE = /^\\(?:[1-9]|k<)/;

/** Undefined if a group with choices inside is repeated, or a part of the text is asked for again. */
function countChoices(source: string): Choices | undefined {
  const choices: Choices = { unbounded: 0, ways: 1 };
  let isAnchored = source.startsWith('^');
  const hasChoice: boolean[] = [false];
  for (const { 0: token, groups } of source.matchAll(TOKEN)) {
    if (BACK_REFERENCE.test(token)) return undefined;
    if (token.startsWith('(')) hasChoice.push(false);
    if (token === '|') {
      // Only the first alternative was seen to begin with `^`.
      if (hasChoice.length === 1) isAnchored = false;
      choices.ways *= 2;
      hasChoice[hasChoice.length - 1] = true;
    }
    const times = readTimes(groups?.['quantifier'] ?? groups?.['repeat']);
    if (token.startsWith(')')) {
      const inner = hasChoice.pop() ?? false;
      if (inner && times.most > 1) return undefined;
      hasChoice[hasChoice.length - 1] ||= inner;
    }
    if (times.most === times.least) continue;
    hasChoice[hasChoice.length - 1] = true;
    if (times.most === Infinity) choices.unbounded++;
    else choices.ways *= times.most - times.least + 1;
  }
  if (!isAnchored) choices.unbounded++;
  return choices;
}

function readTimes(quantifier: string | undefined): { least: number; most: number } {
  if (quantifier === undefined) return { least: 1, most: 1 };
  if (quantifier === '*') return { least: 0, most: Infinity };
  if (quantifier === '+') return { least: 1, most: Infinity };
  if (quantifier === '?') return { least: 0, most: 1 };
  const [, least = '0', comma, most] = /^\{(\d+)(,)?(\d*)\}$/.exec(quantifier) ?? [];
  if (comma === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}
