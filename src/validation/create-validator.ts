import type { JsonObject, JsonValue } from '../core/index.js';
import { checkSchema } from './check-schema.js';
import { safePattern, type SafePattern } from './safe-pattern.js';
import { Scope } from './scope.js';
import type { Finding, Violation } from './violation.js';

const SHOWN = 5;
/** Most schemas, names and items checked for one value; hostile ones needed 0.3 s of a core. */
const MAX_STEPS = 250_000;

export interface ValidatorOptions {
  /** Whether a value stands for one that is not known yet; PML reports no violation for it. */
  readonly isUnknown?: (value: JsonValue) => boolean;
}

export type Validator = (value: JsonValue, options?: ValidatorOptions) => readonly Violation[];

const validators = new WeakMap<JsonObject, Validator>();

/**
 * Checks values against an untrusted schema. It never throws, fetches or generates code, and its
 * work is bounded: a rule that it cannot read or finish counts as satisfied. Returns the most
 * telling violations, deepest first. One validator per schema object.
 */
export function createValidator(schema: JsonObject): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const patterns = new Map<string, SafePattern | undefined>();
  const patternOf = (source: string) => {
    if (!patterns.has(source)) patterns.set(source, safePattern(source));
    return patterns.get(source);
  };
  const validator: Validator = (value, { isUnknown = () => false } = {}) => {
    const shared = {
      document: schema,
      steps: MAX_STEPS,
      isUnknown,
      patternOf,
      check: checkSchema,
    };
    const scope = new Scope(shared, { root: schema });
    checkSchema(schema, value, scope);
    return mostTelling(scope.found);
  };
  validators.set(schema, validator);
  return validator;
}

function mostTelling(found: readonly Finding[]): readonly Violation[] {
  const distinct = new Map(found.map((one) => [`${one.path}\n${one.message}`, one]));
  return [...distinct.values()]
    .toSorted((a, b) => b.depth - a.depth)
    .slice(0, SHOWN)
    .map(({ path, message }) => ({ path, message }));
}
