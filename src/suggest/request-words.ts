/** Say nothing of what is to be done. Where something comes from or goes to is no such thing. */
const EMPTY = new Set(
  'a an the please kindly just can could would will you we i me us my our your it its they them their he she his her him this that these those and then also now so'.split(
    ' ',
  ),
);
const QUOTED = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|(?<!\p{L})'[^'\n]*'(?!\p{L})/gu;
const TOKEN = /\S+/gu;
const SENTENCE_END = /[.!?:]["')\]]*$/;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const PLAIN = /^\p{L}+(?:['’-]\p{L}+)*$/u;
const NAME = /^\p{Lu}/u;
const MOST_CHARACTERS = 4_000;

/**
 * The words of a request without what it is about this time: quoted texts, names, numbers, paths,
 * addresses. The same words ask for the same thing to be done, to whatever it is.
 */
export function requestWords(intent: string): readonly string[] {
  const words: string[] = [];
  let isFirst = true;
  for (const [token] of intent.slice(0, MOST_CHARACTERS).replaceAll(QUOTED, '""').matchAll(TOKEN)) {
    const word = token.replaceAll(EDGES, '');
    const isName = !isFirst && NAME.test(word);
    if (PLAIN.test(word) && !isName && !EMPTY.has(word.toLowerCase())) {
      words.push(word.toLowerCase());
    }
    if (word !== '') isFirst = SENTENCE_END.test(token);
  }
  return words;
}
