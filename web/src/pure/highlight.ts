/** Parts of a script by colour. Not a parser: what it misses stays plain. */
export interface CodePart {
  readonly kind: 'plain' | 'w' | 's' | 'n' | 'c';
  readonly text: string;
}

const WORDS =
  'async await break case catch class const continue default delete do else export false finally for from function if import in instanceof let new null of return static switch this throw true try typeof undefined var void while with yield';
const TOKEN = new RegExp(
  [
    String.raw`(?<c>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))`,
    String.raw`(?<s>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|` + '`(?:\\\\[\\s\\S]|[^`\\\\])*`?)',
    String.raw`(?<n>\b\d[\w.]*)`,
    String.raw`(?<w>\b(?:${WORDS.replaceAll(' ', '|')})\b)`,
  ].join('|'),
  'g',
);

export function highlight(code: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const { index, groups = {} } = match;
    if (index > end) parts.push({ kind: 'plain', text: code.slice(end, index) });
    const kind =
      (['c', 's', 'n', 'w'] as const).find((one) => groups[one] !== undefined) ?? 'plain';
    parts.push({ kind, text: match[0] });
    end = index + match[0].length;
  }
  if (end < code.length) parts.push({ kind: 'plain', text: code.slice(end) });
  return parts;
}
