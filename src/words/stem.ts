/** Shorter words stay as they are. */
const SHORTEST = 4;
const NO_PLURAL = /(?:news|series)$/;
const VOWEL = /[aeiouy]/;

/** Tried in order; the first ending that leaves at least `keep` letters is replaced. */
const ENDINGS: readonly (readonly [ending: RegExp, replacement: string, keep: number])[] = [
  [/(?:ization|isation)$/, 'iz', 3],
  [/(?:ation|ator|ate)$/, '', 5],
  [/(?<=[st])(?:ion|or)$/, '', 4],
  [/(?:ment|ness)$/, '', 5],
  [/ly$/, '', 4],
];

/**
 * A light Porter-like stemmer: words of one family should meet (`creating`, `creation`, `created`,
 * `creates` → `creat`), and it matters less than in Porter that the stem looks like a word.
 */
export function stem(word: string): string {
  if (word.length < SHORTEST || /\d/.test(word)) return word;
  const present = dropEnding(dropTense(dropPlural(word)));
  const root = present.length > 3 ? present.replace(/e$/, '') : present;
  return root.length > 2 ? root.replace(/(?<=[^aeiou])y$/, 'i') : root;
}

/** One spelling for one thing and many of it, which stays a word. */
export function singular(word: string): string {
  return word.length < SHORTEST || NO_PLURAL.test(word) ? word : dropPlural(word);
}

/** Forms that a word may have in a name: `files` names `file`. */
export function formsOf(word: string): ReadonlySet<string> {
  return new Set([word, word.replace(/(?:es|s|ed|ing)$/, ''), word.replace(/(?:s|d)$/, '')]);
}

function dropPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  return /(?:ch|sh|x|ss|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function dropTense(word: string): string {
  const root = word.replace(/(?:ing|ed)$/, '');
  if (root === word || root.length < 2 || !VOWEL.test(root)) return word;
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`;
  return root.replace(/([^aeiouylsz])\1$/, '$1');
}

function dropEnding(word: string): string {
  for (const [ending, replacement, keep] of ENDINGS) {
    const root = word.replace(ending, '');
    if (root !== word && root.length >= keep) return root + replacement;
  }
  return word;
}
