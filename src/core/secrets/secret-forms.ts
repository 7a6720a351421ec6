/**
 * Secrets in a text by their form: keys in the shapes in which services hand them out, and values
 * behind a name (`password=…`, `Authorization: Bearer …`, `https://user:…@host`). One rule for logs,
 * errors, intents and code that is kept.
 *
 * Any server can send any text here, and all clients wait while it is read: each pattern takes a
 * bounded number of steps a character. A pattern that begins anywhere in a run of characters and reads
 * to the end of the run does not; such a pattern begins at the sign that is rare and looks back.
 */
import { namesSecret } from './secret-names.js';

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const SHAPES = new RegExp(
  [
    String.raw`\bsk-[A-Za-z0-9_-]{16,}`,
    String.raw`\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}`,
    String.raw`\bgh[oprsu]_[A-Za-z0-9]{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bpml_[\w-]{40,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\b(?:npm|hf|dop_v1|shpat|whsec)_[A-Za-z0-9]{20,}`,
    String.raw`\bSG\.[\w-]{16,}\.[\w-]{16,}`,
    String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)`,
  ].join('|'),
  'g',
);

/** The shortest text that a shape matches: `xoxb-` and ten characters. */
const SHORTEST_SHAPE = 15;
/** Every other form has one of these: it needs a name or a word before its value. */
const SEPARATOR = /[\s:=]/;

/** A JSON web token: looks back from the dot behind its first part, as a part can hold many beginnings. */
const WEB_TOKEN = /\.eyJ(?<=(\beyJ[\w-]{8,})\.eyJ)[\w-]{8,}(?:\.[\w-]*)?/dg;
/** The password of an address. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:([^\s/@]{1,500})@/dgi;
/** Said without a header: only what no ordinary word looks like. */
const SCHEME =
  /\b(?:[Bb]earer|BEARER|[Bb]asic)\s+((?=[A-Za-z._~+/=-]{0,80}\d|[A-Za-z]{0,80}[a-z][A-Z])[\w.~+/=-]{8,})/dg;
/** What stands between a name and its value; looks back for the name. */
const NAMED =
  /(?=[:=])(?<=(?<![\w.])([A-Za-z_][\w.-]{0,80})(?:\\{0,16}["'`])?\s{0,3})(?:=>|:=|[:=])\s{0,3}/dg;
const FLAG = /(?<![\w-])--?([A-Za-z][\w-]{0,60})\s+(?=[^\s-])/g;
/** `the password is …`, where what follows is no word of a sentence. */
const SAID =
  /\b(?:[Pp]assword|[Pp]assphrase|[Tt]oken|[Aa][Pp][Ii] [Kk]ey|[Ss]ecret)\s+is:?\s+(?=\S*[\dA-Z!@#$%^&*_])/g;

const QUOTED = /\\{0,16}(["'`])((?:(?!\\{0,16}\1).){1,4000})/dy;
const PLAIN =
  /(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate)\s+)?([^\s"'`,;&<>()[\]{}|\\]{1,4000})/diy;
const COOKIE = /(?=[^\n"'`\\:=]{0,200}=)[^\n"'`\\]{1,4000}/dy;

/** What stands behind such a name in prose. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|yes|no|on|off|string|number|boolean|object|required|missing|invalid|incorrect|wrong|expired|revoked|empty|unset|set|not|cannot|must|should|is|was|has|have|unknown|unexpected|too|the|a|an|for|of|in|to|and|or|with|from|please|bearer|basic|redacted|hidden|\*+|x+|\.{3,}|…)$/i;
/** Stands for a value that is elsewhere, whatever follows. */
const ELSEWHERE = /[$<{%:?@]|(?:args|process\.env|env|config)\./iy;

/** Where values stand that must not be shown, in order and without overlaps. */
export function findSecretForms(text: string): readonly TextRange[] {
  if (text.length < SHORTEST_SHAPE && !SEPARATOR.test(text)) return [];
  const found = [...text.matchAll(SHAPES)].map(({ 0: all, index }) => {
    return { start: index, end: index + all.length };
  });
  for (const { indices, index, 0: all } of text.matchAll(WEB_TOKEN)) {
    found.push({ start: indices?.[1]?.[0] ?? index, end: index + all.length });
  }
  for (const pattern of [ADDRESS, SCHEME]) {
    for (const { indices } of text.matchAll(pattern)) found.push(...rangeOf(indices?.[1]));
  }
  let end = 0;
  for (const match of text.matchAll(NAMED)) {
    const nameAt = match.indices?.[1]?.[0] ?? match.index;
    if (nameAt < end) continue;
    const values = behindName(text, match, nameAt);
    found.push(...values);
    end = values.at(-1)?.end ?? end;
  }
  for (const match of text.matchAll(FLAG)) {
    if (namesSecret(match[1] ?? '')) found.push(...valueAt(text, match.index + match[0].length, 1));
  }
  for (const match of text.matchAll(SAID)) {
    found.push(...valueAt(text, match.index + match[0].length, LEAST_PASSWORD));
  }
  return withoutOverlaps(found);
}

/** The text with `***` where secrets stand by their form. */
export function maskForms(text: string): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of findSecretForms(text)) {
    masked += `${text.slice(from, start)}***`;
    from = end;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** Shorter ones are numbers, signs and words of other meanings of `token`. */
const LEAST_TOKEN = 4;
const LEAST_PASSWORD = 3;

function behindName(text: string, match: RegExpExecArray, nameAt: number): readonly TextRange[] {
  const name = match[1] ?? '';
  const at = match.index + match[0].length;
  if (/(?:^|[-_.])(?:set-)?cookie$/i.test(name)) return cookieAt(text, at);
  if (!namesSecret(name)) return [];
  // `Unexpected token: }` speaks of a language.
  if (/unexpected\s$/i.test(text.slice(Math.max(0, nameAt - 12), nameAt))) return [];
  return valueAt(text, at, /token$/i.test(name) ? LEAST_TOKEN : LEAST_PASSWORD);
}

function valueAt(text: string, at: number, least: number): readonly TextRange[] {
  // Before the rest of it is read: it would be read again for each name in it.
  if (isElsewhere(text, at)) return [];
  for (const pattern of [QUOTED, PLAIN]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) continue;
    const value = match.at(-1) ?? '';
    const isShort = value.length < least || /^\d{1,5}$/.test(value);
    const isNone = isShort || NO_VALUE.test(value) || isElsewhere(value, 0);
    return isNone ? [] : rangeOf(match.indices?.at(-1));
  }
  return [];
}

function isElsewhere(text: string, at: number): boolean {
  ELSEWHERE.lastIndex = at;
  return ELSEWHERE.test(text);
}

function cookieAt(text: string, at: number): readonly TextRange[] {
  COOKIE.lastIndex = at;
  const match = COOKIE.exec(text);
  return rangeOf(match?.indices?.[0]);
}

function rangeOf(place: readonly [number, number] | undefined): TextRange[] {
  return place ? [{ start: place[0], end: place[1] }] : [];
}

function withoutOverlaps(ranges: readonly TextRange[]): readonly TextRange[] {
  const kept: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (!last || range.start >= last.end) kept.push(range);
    else if (range.end > last.end) kept[kept.length - 1] = { start: last.start, end: range.end };
  }
  return kept;
}
