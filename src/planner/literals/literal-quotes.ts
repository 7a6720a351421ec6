import type { FoundLiteral } from './literal.js';

/** Opening mark → its closing one. */
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '‹': '›',
  '「': '」',
  '『': '』',
};
const WORD = /[\p{L}\p{N}]/u;

/** Texts in quotation marks, and code in backticks. An apostrophe within or behind a word is none. */
export function* readQuotes(intent: string): Generator<FoundLiteral> {
  // A mark that closes nowhere behind here does so nowhere later either.
  const unclosed = new Set<string>();
  for (let at = 0; at < intent.length; at++) {
    const open = intent[at]!;
    const close = PAIRS[open];
    if (close === undefined || unclosed.has(open)) continue;
    if (open === '`') {
      const fence = intent.startsWith('```', at) ? '```' : '`';
      const end = intent.indexOf(fence, at + fence.length);
      if (end < 0) unclosed.add(open);
      else {
        const text = intent.slice(at + fence.length, end);
        const code = fence === '```' ? text.replace(/^\w*\n/, '').trimEnd() : text;
        if (code.trim()) yield quote('code', code, at, end + fence.length);
        at = end + fence.length - 1;
      }
      continue;
    }
    if (isInWord(intent, at)) continue;
    const end = closingPlace(intent, at, close);
    if (end < 0) {
      unclosed.add(open);
      continue;
    }
    const text = intent.slice(at + 1, end);
    if (text.trim()) yield quote('quoted', text, at, end + 1);
    at = end;
  }
}

function quote(kind: 'code' | 'quoted', text: string, start: number, end: number): FoundLiteral {
  return { kind, value: text, text, start, end };
}

/** Such as in `5"`, `users'` and `don't`. */
function isInWord(intent: string, at: number): boolean {
  return at > 0 && WORD.test(intent[at - 1]!);
}

function closingPlace(intent: string, at: number, close: string): number {
  const isApostrophe = close === "'" || close === '’';
  for (let end = intent.indexOf(close, at + 1); end >= 0; end = intent.indexOf(close, end + 1)) {
    if (!isApostrophe || !WORD.test(intent[end + 1] ?? '')) return end;
  }
  return -1;
}
