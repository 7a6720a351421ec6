import { plainWords } from './tokenize.js';

/** The same for texts of the same words: letter case, spaces and punctuation do not count. */
export function wordKey(text: string): string {
  return plainWords(text).join(' ');
}
