export { nameWords, textWords, wordWeight } from './name-words.js';
export { requestWords, type RequestWords } from './request-words.js';
export { readable, splitNeeds } from './split-needs.js';
export { formsOf } from './stem.js';
export { relatedTerms } from './synonyms.js';
export { plainWords, type Token, tokenize, tokens } from './tokenize.js';
export { nounsOf, type ToolWords, verbOf, wordsOf } from './tool-words.js';
export { kindsOf } from './word-kinds.js';
