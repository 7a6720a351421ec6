import type { JsonObject, JsonValue } from '../core/index.js';
import type { Scope } from './scope.js';
import type { Verdict } from './verdict.js';

/** How far a quotient may be from a whole number: 0.3 is a multiple of 0.1, whatever a float says. */
const TOLERANCE = 1e-9;

export function checkNumber(schema: JsonObject, value: number, scope: Scope): Verdict {
  const wrong = wrongWith(schema, value);
  return wrong === undefined ? 'fits' : scope.fail(`expected ${wrong}, got ${value}`);
}

function wrongWith(schema: JsonObject, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const [least, most] = [asNumber(minimum), asNumber(maximum)];
  // Draft 4 says with a boolean that the limit itself is excluded.
  const above = exclusiveMinimum === true ? least : asNumber(exclusiveMinimum);
  const below = exclusiveMaximum === true ? most : asNumber(exclusiveMaximum);
  if (above !== undefined && value <= above) return `more than ${above}`;
  if (below !== undefined && value >= below) return `less than ${below}`;
  if (least !== undefined && value < least) return `at least ${least}`;
  if (most !== undefined && value > most) return `at most ${most}`;
  const unit = asNumber(multipleOf);
  if (unit !== undefined && unit > 0 && !isMultiple(value, unit)) return `a multiple of ${unit}`;
  return undefined;
}

function isMultiple(value: number, unit: number): boolean {
  const times = value / unit;
  return Math.abs(times - Math.round(times)) <= TOLERANCE * Math.max(1, Math.abs(times));
}

function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
