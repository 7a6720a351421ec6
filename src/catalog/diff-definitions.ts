import { canonicalJson, type JsonValue, type ToolDefinition, visible } from '../core/index.js';

/** A longer text is shown as an excerpt of this many characters. */
const MAX_EXCERPT = 400;
/** Characters before the first difference that an excerpt keeps, so that its place is recognised. */
const LEAD = 60;

/** What changed between two definitions, as lines a person can read: `- old` and `+ new`. */
export function diffDefinitions(
  before: ToolDefinition | undefined,
  after: ToolDefinition | undefined,
): readonly string[] {
  const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
  return fields.flatMap((field) => {
    const old = textOf(before?.[field]);
    const now = textOf(after?.[field]);
    if (old === now) return [];
    const start = Math.max(0, firstDifference(old ?? '', now ?? '') - LEAD);
    return [
      ...(old === undefined ? [] : [`- ${field}: ${excerpt(old, start)}`]),
      ...(now === undefined ? [] : [`+ ${field}: ${excerpt(now, start)}`]),
    ];
  });
}

/** Control and direction marks are how a poisoned description hides; a reader must see them. */
function textOf(value: ToolDefinition[keyof ToolDefinition]): string | undefined {
  return value === undefined ? undefined : visible(canonicalJson(value as JsonValue));
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function excerpt(text: string, start: number): string {
  if (text.length <= MAX_EXCERPT) return text;
  // Half a character cannot be stored as JSON.
  const part = text
    .slice(start, start + MAX_EXCERPT)
    .replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${start + MAX_EXCERPT < text.length ? '…' : ''}`;
}
