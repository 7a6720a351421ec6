/** What a request is about this time, which says nothing about the tool that is wanted. */
import { tokenize } from './tokenize.js';

/** Texts in quotes; an apostrophe inside a word is none. */
export const QUOTED = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|(?<!\p{L})'[^'\n]*'(?!\p{L})/gu;

const ENDINGS =
  'txt|md|csv|tsv|json|jsonl|ya?ml|xml|html?|css|jsx?|tsx?|py|ipynb|java|cpp|rs|rb|sh|sql|log|ini|toml|cfg|conf|pdf|docx?|xlsx?|pptx?|odt|rtf|png|jpe?g|gif|svg|webp|bmp|mp3|wav|flac|ogg|mp4|mov|avi|mkv|webm|zip|gz|tgz|tar|rar|parquet|sqlite|bak';
/** Not `node.js`, which is a product, nor the end of an address. */
const FILE_NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}@/:._-])(?!(?:node|next|nuxt|vue|react|three|d3|chart|express)\.js)[\p{L}\p{N}_+-]+(?:\.[\p{L}\p{N}_+-]+)*\.(${ENDINGS})(?![\p{L}\p{N}/_-])`,
  'giu',
);
/** With fewer words besides, the quoted text may be all that says what is wanted. */
const LEAST_WORDS = 3;

/**
 * A request without its values: of a file name only its kind is left, and a quoted text is left out
 * where the rest says what is wanted. `rename report.txt` has nothing to do with reports. A name that
 * only repeats words of the request stays, as the name of a file.
 */
export function withoutValues(request: string): string {
  const said = new Set(tokenize(request.replaceAll(FILE_NAME, ' ')));
  const named = request.replaceAll(FILE_NAME, (name, ending: string) => {
    const isRepeated = tokenize(name.slice(0, -ending.length)).some((word) => said.has(word));
    return `${isRepeated ? name : ending.toLowerCase()} file`;
  });
  const unquoted = named.replaceAll(QUOTED, '');
  if (unquoted === named) return named;
  return new Set(tokenize(unquoted)).size >= LEAST_WORDS ? unquoted : named;
}
