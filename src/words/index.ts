export {
  ACCOUNT_HOLDERS,
  ANYTHING,
  ID_WORDS,
  PEOPLE,
  ROLES,
  SAME_THINGS,
  WHICH_ONE,
} from './id-names.js';
export { nameWords, textWords, wordWeight } from './name-words.js';
export {
  ASKS_TO_KNOW,
  BEFORE_QUESTION,
  BEFORE_TARGET,
  BEFORE_VERB,
  ASKS_ONLY_TO_KNOW,
  REFUSAL_ENDS,
  REFUSALS,
  REFUSED_OBJECTS,
} from './request-grammar.js';
export { onlyAsks } from './only-asks.js';
export { requestWords, type RequestWords } from './request-words.js';
export { askedText, readable, splitNeeds } from './split-needs.js';
export { formsOf } from './stem.js';
export { relatedTerms } from './synonyms.js';
export { plainWords, type Token, tokenize, tokens } from './tokenize.js';
export { type ToolWords, verbOf, wordsOf } from './tool-words.js';
export { type ChangeWord, changeWord, STAGE_OF_VERB, TRANSFORMING_VERBS } from './verbs.js';
export { wordKey } from './word-key.js';
export { kindsOf } from './word-kinds.js';
export { wordSet } from './word-set.js';
