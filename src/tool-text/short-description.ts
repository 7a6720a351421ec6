import type { ToolDefinition } from '../core/index.js';

/** A full stop that ends a sentence: not the one of `e.g.`, `i.e.`, `v1.2` or `file.txt`. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|no|approx))[.!?](?=\s|$)/i;

/** The first sentence of what the tool says about itself, in one line of at most `maxChars`. */
export function shortDescription(definition: ToolDefinition, maxChars: number): string {
  const { description, title, annotations } = definition;
  const source = [description, title, annotations?.title].find(hasText) ?? '';
  const line = source
    .replaceAll(/[#*`]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const end = SENTENCE_END.exec(line)?.index;
  return cutWords(end === undefined ? line : line.slice(0, end), maxChars);
}

function hasText(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '';
}

const DEPRECATED = /[^.!?\n]*\bdeprecated\b[^.!?\n]*/i;
const MOST_NOTED = 100;

/** What a tool says about being deprecated, such as what to use instead. */
export function deprecation({ description }: ToolDefinition): string | undefined {
  const note = hasText(description) ? DEPRECATED.exec(description)?.[0] : undefined;
  return note && cutWords(note.replace(/^[\s*_]*deprecated[\s*_:,-]*/i, '').trim(), MOST_NOTED);
}

export function cutWords(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxChars / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:(–-]+$/, '')}…`;
}
