import { findSecretForms, type TextRange } from '../../core/index.js';

/** Forms that ordinary texts have too, and code that is kept does not need. */
const LOOSE_FORMS = [
  /\b(?:Bearer|Basic|Token)\s+[\w.~+/=-]{8,}/i,
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]*:[^\s/@]+@[^\s]*/i,
];

/** Long runs that might be chance; parts of paths and sentences are divided by other signs. */
const RUNS = [/[\w+=-]{20,}/g, /(?<![\w+/])[A-Za-z0-9+/]{40}(?![\w+/=])/g];

/** Random base 62 changes between small, capital and digit at six of ten places, words at few. */
const CHANGES_OF_CHANCE = 0.4;

/** Where in a text a secret stands; nothing if there is none. */
export function findSecret(text: string): TextRange | undefined {
  for (const form of LOOSE_FORMS) {
    const match = form.exec(text);
    if (match) return { start: match.index, end: match.index + match[0].length };
  }
  const [known] = findSecretForms(text);
  if (known) return known;
  for (const match of RUNS.flatMap((run) => [...text.matchAll(run)])) {
    if (looksRandom(match[0])) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function looksRandom(text: string): boolean {
  const kinds = Array.from(text, kindOf);
  if (new Set(kinds.filter((kind) => kind !== '-')).size < 3) return false;
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / (text.length - 1) >= CHANGES_OF_CHANCE;
}

function kindOf(sign: string): string {
  if (/[a-z]/.test(sign)) return 'a';
  if (/[A-Z]/.test(sign)) return 'A';
  return /\d/.test(sign) ? '0' : '-';
}
