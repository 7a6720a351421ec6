/** Words that show the grammar of a request: verbs, questions and refusals. */
import { wordSet } from './word-set.js';

/** A verb follows these words: "and mail it", "please book", "to note". */
export const BEFORE_VERB = wordSet('and then please also to you i we me just now finally or');

const QUESTIONS = 'how what which when where who why is are was were does do did has have';

const TO_BE_TOLD = 'tell show list read find look check see search';

/** A request that begins with one of these words and names no change asks only for information. */
export const ASKS_ONLY_TO_KNOW = wordSet(QUESTIONS, TO_BE_TOLD);

/**
 * A part of a request that begins with one of these words asks for information. A noun in that
 * part is its subject, not a change.
 */
export const ASKS_TO_KNOW = wordSet(QUESTIONS, TO_BE_TOLD, 'get give open');

/** The request refuses the change that follows these words. */
export const REFUSALS = wordSet(
  "not don't don’t dont never without avoid no nobody nothing refrain cannot can't can’t",
);

/** Refusals that may also stand behind the verb: "save nothing", "send no mail". */
export const REFUSED_OBJECTS = wordSet('no nothing nobody');

/** A refusal ends at these words. */
export const REFUSAL_ENDS = wordSet('but only instead just forget hesitate');

/** These words may stand before a question: "also, what is …". */
export const BEFORE_QUESTION = wordSet('and also then so please ,');

/** A path after one of these words is a path to write to. */
export const BEFORE_TARGET = wordSet('into to as');
