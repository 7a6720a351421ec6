import { canonicalJson, type JsonValue, type ToolDefinition } from '../core/index.js';

const MAX_LINE = 400;

/** What changed between two definitions, as lines a person can read: `- old` and `+ new`. */
export function diffDefinitions(
  before: ToolDefinition | undefined,
  after: ToolDefinition | undefined,
): readonly string[] {
  const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
  return fields.flatMap((field) => {
    const old = show(before?.[field] as JsonValue | undefined);
    const now = show(after?.[field] as JsonValue | undefined);
    if (old === now) return [];
    return [
      ...(old === undefined ? [] : [`- ${field}: ${old}`]),
      ...(now === undefined ? [] : [`+ ${field}: ${now}`]),
    ];
  });
}

function show(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  // Control and direction marks are how a poisoned description hides; a reader must see them.
  const text = canonicalJson(value).replaceAll(
    /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
}
