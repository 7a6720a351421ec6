import type { JsonValue } from '../../core/index.js';
import type { ToolParameter } from '../../schema/index.js';
import type { Literal } from './literal.js';

/** The literal converted for the parameter, or undefined. `also`: literals listed after it. */
export function literalValue(
  literal: Literal,
  { types, itemTypes }: ToolParameter,
  also: readonly Literal[] = [],
): JsonValue | undefined {
  if (also.length === 0) {
    const single = scalar(literal, types);
    if (single !== undefined) return single;
  }
  if (!types.includes('array')) return undefined;
  const values = [literal, ...also].map((one) => scalar(one, itemTypes));
  return values.every((value) => value !== undefined) ? values : undefined;
}

function scalar(literal: Literal, types: readonly string[]): string | number | undefined {
  const number = numberOf(literal);
  const isText = types.length === 0 || types.includes('string');
  if (number !== undefined && (types.includes('number') || types.includes('integer'))) {
    const fits = types.includes('number') || Number.isInteger(number);
    if (fits) return number;
  }
  if (!isText) return undefined;
  if (literal.kind === 'number') return types.length === 0 ? number : plainDigits(literal);
  if (literal.kind === 'handle') return literal.text.slice(1);
  // Users omit the scheme, and programs need it.
  if (literal.kind === 'url' && /^www\./i.test(literal.text)) return `https://${literal.text}`;
  return String(literal.value);
}

/** `#42` is a number; a version or a date is not. */
function numberOf({ kind, value, text }: Literal): number | undefined {
  if (kind === 'number') return Number(value);
  if (kind === 'id' && /^#\d{1,15}$/.test(text)) return Number(text.slice(1));
  const isDigits = (kind === 'quoted' || kind === 'text') && /^-?\d{1,15}(?:\.\d+)?$/.test(text);
  return isDigits ? Number(text) : undefined;
}

/** The digits as written, if the text consists of digits only. */
function plainDigits({ text, value }: Literal): string {
  return /^[\d.+-]+$/.test(text) ? text : String(value);
}
