export { nameWords, textWords, wordWeight } from './name-words.js';
export { relatedTerms } from './related-words.js';
export { type Token, tokenize, tokens } from './tokenize.js';
export { kindsOf } from './word-kinds.js';
