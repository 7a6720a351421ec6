import type { JsonValue } from '../../core/index.js';
import { fieldsOf, type Node, type NodeOf } from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { SourceEdits } from '../source/source-edits.js';

/** Shorter ones stand in other texts by chance. */
const LEAST_CHARACTERS = 3;
const LETTER = /[\p{L}\p{N}_]/u;

/**
 * Whether a value is something a request names: it has a capital, a digit or a sign that words lack.
 * `Lisbon`, `bob@example.com` and `/tmp/a.txt` are; `inbox` and `asc` may be settings.
 */
export function isSaid(value: JsonValue): value is string {
  if (typeof value !== 'string' || value.trim().length < LEAST_CHARACTERS) return false;
  const isTelling = /[\p{Lu}\p{Lo}\p{N}@/\\]/u.test(value) && /\p{L}/u.test(value);
  return isTelling && value === value.trim();
}

export interface SaidText {
  readonly text: string;
  /** Of the parameter. */
  readonly name: string;
}

/**
 * Writes parameters where texts of the script repeat what one was given: `Weather in Lisbon` would be
 * wrong for any other city. `taken` are left as they are.
 */
export function replaceSaid(
  { program, text }: Pick<ParsedCode, 'program' | 'text'>,
  taken: ReadonlySet<Node>,
  { said, edits }: { readonly said: readonly SaidText[]; readonly edits: SourceEdits },
): void {
  if (said.length === 0) return;
  // The longer one first: `New York City` is not `New York` with something behind it.
  const longest = said.toSorted((one, other) => other.text.length - one.text.length);
  const visit = (node: Node, parent: Node | undefined, field: string): void => {
    if (taken.has(node) || (parent?.type === 'TaggedTemplateExpression' && field === 'quasi'))
      return;
    if (node.type === 'Literal' && typeof node.value === 'string' && isValue(node, parent, field)) {
      const parts = split(node.value, longest);
      if (parts.length > 1 || parts[0]?.name !== undefined) {
        edits.replace(node.start, node.end, asExpression(parts));
      }
    }
    if (node.type === 'TemplateElement') replaceQuasi(node);
    for (const { child, field: at } of fieldsOf(node)) visit(child, node, at);
  };
  visit(program, undefined, '');

  function replaceQuasi({ value: { raw, cooked }, start }: NodeOf<'TemplateElement'>): void {
    // Where something is escaped, places in the text are not those in the value.
    if (raw !== cooked || raw === '') return;
    let place = text.indexOf(raw, start);
    for (const part of split(raw, longest)) {
      const end = place + part.text.length;
      if (part.name !== undefined) edits.replace(place, end, `\${args.${part.name}}`);
      place = end;
    }
  }
}

/** Keys, types, imports and directives are no values. */
function isValue(node: Node, parent: Node | undefined, field: string): boolean {
  if (!parent || /^(?:Import|Export|TS)/.test(parent.type)) return false;
  if (parent.type === 'ExpressionStatement') return false;
  const isKey = field === 'key' && 'computed' in parent && !parent.computed;
  return !isKey && node.type === 'Literal';
}

interface Part {
  readonly text: string;
  readonly name?: string;
}

function split(text: string, said: readonly SaidText[]): readonly Part[] {
  const [first, ...rest] = said;
  if (!first) return text === '' ? [] : [{ text }];
  const parts: Part[] = [];
  let from = 0;
  for (let at = placeOf(text, first.text, 0); at >= 0; at = placeOf(text, first.text, from)) {
    parts.push(...split(text.slice(from, at), rest), { text: first.text, name: first.name });
    from = at + first.text.length;
  }
  return [...parts, ...split(text.slice(from), rest)];
}

/** Where one text stands in another as a whole word. */
function placeOf(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
    const isPart = LETTER.test(before) && LETTER.test(word[0]!);
    const goesOn = LETTER.test(after) && LETTER.test(word.at(-1)!);
    if (!isPart && !goesOn) return at;
  }
  return -1;
}

function asExpression(parts: readonly Part[]): string {
  const [only] = parts;
  if (parts.length === 1 && only?.name !== undefined) return `args.${only.name}`;
  const written = parts.map(({ text, name }) => {
    return name === undefined ? escaped(text) : `\${args.${name}}`;
  });
  return `\`${written.join('')}\``;
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\n', String.raw`\n`);
}
