import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';

export interface LearnedFrom {
  /** All requests that the capability served, in lower case. */
  readonly said: string;
  /** The number of its successful uses. */
  readonly successes: number;
}

/** After this many uses, a word that no use changed counts as a setting. */
const SETTLED_USES = 3;
const WORD = /^[a-z][a-z_-]*$/;
/** Names of numbers that say how much to read, not what to read. */
const EXTENTS =
  /(?:^|[^a-z])(?:limit|max|maximum|min|minimum|count|size|page|offset|depth|top|first|last|days|hours|radius|timeout|retries|precision|width|height)(?:$|[^a-z])/;

/**
 * The schema of a capability for planning. A lifted default is the value that the capability was learned
 * with. The next request has to name its own value, so the default becomes an `examples` entry of a
 * required parameter. A setting (see `isSetting`) keeps its default, and PML shows it as a guess.
 */
export function withExamples(schema: JsonObject, learned: LearnedFrom): JsonObject {
  const properties = propertiesOf(schema);
  const lifted = Object.entries(properties).filter(([, field]) => hasDefault(field));
  if (lifted.length === 0) return schema;
  const open = lifted.map(([name, field]) => {
    const { default: example, ...rest } = field as JsonObject & { readonly default: JsonValue };
    const examples = examplesOf(field as JsonObject);
    return [
      name,
      isSetting(name, field as JsonObject, learned)
        ? field
        : { ...rest, examples: unique([example, ...examples]) },
    ] as const;
  });
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(open) },
    required: [...new Set([...requiredOf(schema), ...open.map(([name]) => name)])],
  };
}

/**
 * Whether a default says how to do the work rather than what the work is about: a flag, one of the
 * choices of the tool, an amount, or a plain word that no successful use changed. A value that a request
 * named, or that differed between uses, is no setting.
 */
function isSetting(name: string, field: JsonObject, { said, successes }: LearnedFrom): boolean {
  const value = field['default'] as JsonValue;
  const isVaried = examplesOf(field).some((one) => canonicalJson(one) !== canonicalJson(value));
  if (isVaried || isIn(said, value)) return false;
  if (Array.isArray(field['enum'])) return true;
  const isExtent = EXTENTS.test(name.replaceAll(/(?=[A-Z])/g, '_').toLowerCase());
  const isPlain = (one: JsonValue): boolean => {
    if (one === null || typeof one === 'boolean') return true;
    if (typeof one === 'number') return isExtent;
    if (typeof one === 'string') return successes >= SETTLED_USES && WORD.test(one);
    return Object.values(one).every((part) => isPlain(part as JsonValue));
  };
  return isPlain(value);
}

function hasDefault(field: JsonValue): boolean {
  return isJsonObject(field) && field['default'] !== undefined;
}

function examplesOf(field: JsonObject): readonly JsonValue[] {
  const examples = field['examples'];
  return Array.isArray(examples) ? (examples as readonly JsonValue[]) : [];
}

function unique(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}

/** Whether a request named a value or a part of it. */
function isIn(said: string, value: JsonValue): boolean {
  if (typeof value === 'number') return said.split(/[^\d.]+/).includes(String(value));
  if (typeof value === 'string') return value.trim() !== '' && hasText(said, value.toLowerCase());
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => isIn(said, part as JsonValue));
}

/** Whether a text contains another text as a whole word: `read` is not in `already`. */
function hasText(said: string, text: string): boolean {
  for (let at = said.indexOf(text); at >= 0; at = said.indexOf(text, at + 1)) {
    const around = `${said[at - 1] ?? ' '}${said[at + text.length] ?? ' '}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}
