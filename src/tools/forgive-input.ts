import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

/** How agents get the input of a meta-tool nearly right. */
export interface Forgiving {
  /** Other names of a parameter. One counts where the parameter itself is missing. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that are numbers; a text of digits is one. */
  readonly numbers?: readonly string[];
  /** Parameters that are lists or objects; a text that is JSON is read. */
  readonly json?: readonly string[];
}

/** The input as it was meant. What is not clear stays as it is: the check of the input names it. */
export function forgiveInput(
  args: JsonObject,
  { aliases = {}, numbers = [], json = [] }: Forgiving,
): JsonObject {
  const meant: Record<string, JsonValue> = { ...args };
  for (const [name, others] of Object.entries(aliases)) {
    const alias = others.find((other) => other in meant);
    if (name in meant || alias === undefined) continue;
    meant[name] = meant[alias]!;
    delete meant[alias];
  }
  const readers = [
    ...numbers.map((name) => [name, asNumber] as const),
    ...json.map((name) => [name, asJson] as const),
  ];
  for (const [name, read] of readers) {
    const value = meant[name];
    if (value !== undefined) meant[name] = read(value);
  }
  return meant;
}

function asNumber(value: JsonValue): JsonValue {
  return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

function asJson(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  try {
    const read = JSON.parse(withoutFence(value)) as JsonValue;
    return Array.isArray(read) || isJsonObject(read) ? read : value;
  } catch {
    return value; // The check of the input shows the text.
  }
}

const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\s*\1\s*$/;

/** Text without the Markdown fence around it. */
export function withoutFence(text: string): string {
  return FENCED.exec(text)?.[2] ?? text;
}
