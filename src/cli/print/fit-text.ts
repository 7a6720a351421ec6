/** Text in a given width. Colours take no width and are never cut apart. */

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const COLOUR = /\u001B\[[\d;]*m/g;
// oxlint-disable-next-line no-control-regex -- colours are control sequences
const PIECES = /\u001B\[[\d;]*m|[\uD800-\uDBFF][\uDC00-\uDFFF]|[^]/g;
/** What ends every colour and weight. */
const PLAIN = '\u001B[0m';
const HANGING = 2;
/** A hanging indent deeper than this part of the line leaves too little room. */
const DEEPEST_INDENT = 0.5;

export function textWidth(text: string): number {
  return text.replaceAll(COLOUR, '').length;
}

/** The text, or its beginning and `…`. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  let isColoured = false;
  for (const [piece] of text.matchAll(PIECES)) {
    const isColour = piece.startsWith('\u001B[');
    if (!isColour && used + piece.length > width - 1) break;
    isColoured ||= isColour;
    used += isColour ? 0 : piece.length;
    kept += piece;
  }
  return `${kept.trimEnd()}…${isColoured ? PLAIN : ''}`;
}

/**
 * A line broken between words, so that each part fits. Later parts are indented a little deeper than
 * the first one. A word that is longer than a line, such as a path, stays whole: it can be copied.
 */
export function wrapLine(line: string, columns: number): readonly string[] {
  if (textWidth(line) <= columns) return [line];
  const indent = /^ */.exec(line.replaceAll(COLOUR, ''))?.[0].length ?? 0;
  const hanging = ' '.repeat(Math.min(indent + HANGING, Math.floor(columns * DEEPEST_INDENT)));
  const parts: string[] = [];
  let part = ' '.repeat(Math.min(indent, columns));
  let isEmpty = true;
  // Spaces between words are kept as they are, unless the line breaks there.
  for (const [, gap = '', word = ''] of line.replace(/^ +/, '').matchAll(/( *)([^ ]+)/g)) {
    const fits = textWidth(part) + (isEmpty ? 0 : gap.length) + textWidth(word) <= columns;
    if (isEmpty || fits) part += isEmpty ? word : gap + word;
    else {
      parts.push(part);
      part = hanging + word;
    }
    isEmpty = false;
  }
  return [...parts, part];
}
