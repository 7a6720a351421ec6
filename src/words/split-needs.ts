import { inEnglish } from './in-english.js';
import { withoutValues } from './request-values.js';

const SENTENCE_END = /\n+|(?<=[.!?;])\s+|\s+[—–-]{1,2}\s+|(?<=\p{L})—(?=\p{L})/u;
const PART_END = /,\s+(?:and\s+|then\s+)?|:\s+|\s+and\s+(?:then\s+)?/;
const EDGES = /^[\s,.:;!?-]+|[\s,.:;!?-]+$/g;
/** Encoded data and long addresses say nothing about what is wanted. */
const BLOB = /\S{60,}/g;

/**
 * A path that begins at a root, a drive, a home or with dots. Where a file lies says nothing about what
 * is wanted, and makes requests about files of one folder look alike.
 */
const PATH = /(?<![\w:/.~\\-])(?:[A-Za-z]:|~|\.{1,2})?(?:[\\/][\w.@+-]+)+[\\/](?=[\w.@+-])/g;

const LONG_SENTENCE_WORDS = 12;
const LEAST_WORDS = 3;
/** A request of two sentences is mostly one need and its circumstances. */
const LEAST_NEEDS = 3;
const MOST_NEEDS = 16;
/** Of a request so much is read. */
export const MOST_CHARACTERS = 4_000;

/**
 * The separate needs a long request may hold: "check the mail, look the sender up, and book a room"
 * is like no single tool, but each part is. Empty when the request is one need.
 */
export function splitNeeds(request: string): readonly string[] {
  const sentences = askedText(request).split(SENTENCE_END);
  const parts = sentences.flatMap((sentence) =>
    wordCount(sentence) > LONG_SENTENCE_WORDS ? sentence.split(PART_END) : [sentence],
  );
  const needs = new Set(joinShort(parts.map(trimmed).filter(Boolean)));
  return needs.size < LEAST_NEEDS ? [] : [...needs].slice(0, MOST_NEEDS);
}

/** A request without what only a machine reads, cut to what matters and never inside a character. */
export function readable(request: string): string {
  const text = request.replaceAll(BLOB, ' ').trim().slice(0, MOST_CHARACTERS);
  return text.replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}

/** What a request is compared by: readable, in English as far as that is known, without its values. */
export function askedText(request: string): string {
  return inEnglish(withoutValues(readable(request).replaceAll(PATH, '')));
}

function joinShort(parts: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.length - 1;
    if (last >= 0 && wordCount(part) < LEAST_WORDS) joined[last] += ` ${part}`;
    else joined.push(part);
  }
  return joined;
}

const trimmed = (text: string): string => text.replaceAll(EDGES, '').replaceAll(/\s+/g, ' ');
const wordCount = (text: string): number => text.split(/\s+/).length;
