/**
 * The tokenizer of uncased BERT models. Text never becomes a special token: `[SEP]` in a description
 * is three tokens like any other punctuation and word.
 */

/** Longer words are unknown, as in BERT. */
const MAX_WORD_LENGTH = 100;

const REMOVED = /[\0\uFFFD]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const IDEOGRAPH =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;
const ACCENT = /\p{Mn}/gu;
/** What is between spaces. The byte order mark counts as space in JavaScript, as removed here. */
const PART = /(?:\S|\uFEFF)+/gu;
/** A run of anything but space and punctuation, or one punctuation mark; ASCII symbols count as such. */
const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

export interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>;
  readonly unknown: number;
  readonly start: number;
  readonly end: number;
}

/** Reads `vocab.txt`: one token a line, its id is the line. */
export function parseVocabulary(text: string): Vocabulary {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const ids = new Map(lines.map((token, id) => [token, id]));
  const idOf = (token: string): number => {
    const id = ids.get(token);
    if (id === undefined) throw new Error(`the vocabulary has no ${token}`);
    return id;
  };
  return { ids, unknown: idOf('[UNK]'), start: idOf('[CLS]'), end: idOf('[SEP]') };
}

/** Token ids from `[CLS]` to `[SEP]`, `maxTokens` at most. Reads no more of the text than it needs. */
export function wordPieceIds(text: string, vocabulary: Vocabulary, maxTokens: number): number[] {
  const ids = [vocabulary.start];
  for (const [part] of text.matchAll(PART)) {
    for (const [word] of normalize(part).matchAll(WORD)) {
      ids.push(...splitWord(word, vocabulary));
      if (ids.length >= maxTokens) return [...ids.slice(0, maxTokens - 1), vocabulary.end];
    }
  }
  return [...ids, vocabulary.end];
}

function normalize(text: string): string {
  return text
    .replace(REMOVED, '')
    .replace(IDEOGRAPH, ' $& ')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENT, '');
}

/** The longest known piece first, again and again; a word that does not come out even is unknown. */
function splitWord(word: string, { ids, unknown }: Vocabulary): number[] {
  const characters = Array.from(word);
  if (characters.length > MAX_WORD_LENGTH) return [unknown];
  const pieces: number[] = [];
  let start = 0;
  while (start < characters.length) {
    const prefix = start === 0 ? '' : '##';
    let end = characters.length;
    let id = ids.get(prefix + characters.slice(start, end).join(''));
    while (id === undefined && end > start + 1) {
      end -= 1;
      id = ids.get(prefix + characters.slice(start, end).join(''));
    }
    if (id === undefined) return [unknown];
    pieces.push(id);
    start = end;
  }
  return pieces;
}
