/** Verbs of requests and of tool names. */
import { tokenize } from './tokenize.js';
import { wordSet } from './word-set.js';

/**
 * Kinds of change. A request asks for a change with these words, and tools are named after them. The
 * first word of a line names the kind. Before the first bar: verbs. After the first bar: words that are
 * also nouns, such as `book` and `order`. After the second bar: words that have many other uses.
 */
const CHANGES: readonly string[] = [
  'write save store dump export append overwrite jot persist | note memo record log | put keep file document',
  'send forward notify dispatch | mail email message | text',
  'delete remove erase purge wipe trash unlink | drop | clear',
  'book reserve purchase rent buy | order |',
  'pay transfer refund | charge wire |',
  'move rename relocate | archive |',
  'update edit modify replace patch rewrite | | change set fix',
  'publish tweet upload | post share |',
  'cancel revoke terminate | | stop close',
  'schedule reschedule invite | remind | plan',
  'create insert register | | add make new',
  'deploy install merge push commit | | release',
];

/** A word that asks for a change. */
export interface ChangeWord {
  /** The kind of change: the first word of its line. */
  readonly kind: string;
  /** How far the word alone shows that a change is wanted. */
  readonly as: 'verb' | 'noun' | 'vague';
}

const CHANGE_WORDS: ReadonlyMap<string, ChangeWord> = new Map(
  CHANGES.flatMap((line) => {
    const [kind = ''] = line.split(' ');
    const groups = line.split('|').map((words) => words.split(' ').flatMap(tokenize));
    return (['verb', 'noun', 'vague'] as const).flatMap((as, place) =>
      (groups[place] ?? []).map((stem) => [stem, { kind, as }] as const),
    );
  }),
);

/** The change that a word asks for, in any form of the word. */
export function changeWord(word: string): ChangeWord | undefined {
  return CHANGE_WORDS.get(tokenize(word)[0] ?? word);
}

const STAGES: readonly string[] = [
  'get find search list lookup look fetch read query check retrieve show view discover browse describe load download detect identify',
  'create generate make compute calculate convert translate analyze summarize extract parse add transform build',
  'send update delete remove reserve book buy order play post publish write save set share cancel schedule pay submit notify upload move rent request apply',
];

/** The stage of a verb in a plan: 0 finds out, 1 makes, 2 changes or passes on. */
export const STAGE_OF_VERB: ReadonlyMap<string, number> = new Map(
  STAGES.flatMap((words, stage) => words.split(' ').map((word) => [word, stage] as const)),
);

/** A tool with one of these verbs in its name returns its input in another form. */
export const TRANSFORMING_VERBS = wordSet(
  'parse convert transform extract translate summarize format decode encode decrypt encrypt compress decompress resize crop clean normalize simplify rewrite correct render transcribe',
);
