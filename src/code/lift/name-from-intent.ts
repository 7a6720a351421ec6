import { nameParts } from '../../core/index.js';

/** Words that carry nothing in a name. */
const FILLERS = new Set(
  'a an and are as be by can could do does for from i in into is it its me my of on our please should that the their them then this to up us want we with would you your'.split(
    ' ',
  ),
);

/** Short words that still tell one thing from another, kept between others. */
const JOINTS = new Set(['by', 'for', 'from', 'in', 'into', 'on', 'to', 'up', 'with']);

const MAX_WORDS = 6;
const MAX_LENGTH = 48;

/** Names that cannot be called, or that mean something to every object. */
const RESERVED = new Set(
  'arguments await break case catch class const constructor continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected prototype public return static super switch then this throw true try typeof var void while with yield toString valueOf toJSON hasOwnProperty'.split(
    ' ',
  ),
);

/**
 * A name to call a capability by: `Back up the repo to S3` → `backUpRepoToS3`. Where the intent has
 * no words for one, the tools have.
 */
export function nameFromIntent(
  intent: string,
  taken: Iterable<string>,
  tools: readonly string[] = [],
): string {
  const known = new Set(taken);
  const name = join(wordsOf(intent)) || join(tools.flatMap((tool) => nameParts(tool)));
  const usable = name === '' || RESERVED.has(name) ? join(['run', ...wordsOf(name)]) : name;
  if (!known.has(usable)) return usable;
  let number = 2;
  while (known.has(`${usable}${number}`)) number += 1;
  return `${usable}${number}`;
}

function wordsOf(text: string): readonly string[] {
  // The first sentence says what is wanted; the rest says how.
  const sentence = /^[^.!?\n:;]*[\p{L}\p{N}][^.!?\n:;]*/u.exec(text.trim())?.[0] ?? text;
  const plain = sentence.normalize('NFKD').replaceAll(/\p{M}|['’]/gu, '');
  const words = nameParts(plain).filter((word) => /^[a-z0-9]+$/.test(word));
  const kept = words.filter((word, index) => {
    if (JOINTS.has(word)) return index > 0 && index < words.length - 1;
    return !FILLERS.has(word);
  });
  const chosen = kept.slice(0, MAX_WORDS);
  while (JOINTS.has(chosen.at(-1) ?? '')) chosen.pop();
  return chosen;
}

function join(words: readonly string[]): string {
  let name = '';
  for (const word of words) {
    const next = name === '' ? word : name + word.charAt(0).toUpperCase() + word.slice(1);
    if (next.length > MAX_LENGTH && name !== '') break;
    name = next.slice(0, MAX_LENGTH);
  }
  return /^\d/.test(name) ? `run${name}` : name;
}
