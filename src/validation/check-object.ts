import {
  closestWord,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nearestNames,
} from '../core/index.js';
import { propertiesOf, requiredOf, textsIn, typeNames } from '../schema/index.js';
import type { Scope } from './scope.js';
import { both, type Verdict } from './verdict.js';
import { show } from './violation.js';

const SHOWN_NAMES = 12;
const NEAREST_NAMES = 3;

export function checkObject(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  const verdicts = [
    checkRequired(schema, value, scope),
    checkCount(schema, value, scope),
    checkProperties(schema, value, scope),
    checkOthers(schema, value, scope),
    checkNames(schema, value, scope),
    checkDependencies(schema, value, scope),
  ];
  return verdicts.reduce(both);
}

function checkRequired(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  const missing = requiredOf(schema).filter((key) => !Object.hasOwn(value, key));
  for (const key of missing) scope.fail(`missing${expectation(schema, key)}`, { step: key });
  return missing.length === 0 ? 'fits' : 'fails';
}

/** What the schema says of a property, in few words: `, expected string`. */
function expectation(schema: JsonObject, key: string): string {
  const properties = propertiesOf(schema);
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const types = isJsonObject(property) ? typeNames(property) : [];
  return types.length === 0 ? '' : `, expected ${types.join(' or ')}`;
}

function checkCount(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  const { minProperties, maxProperties } = schema;
  if (minProperties === undefined && maxProperties === undefined) return 'fits';
  const size = Object.keys(value).length;
  if (typeof minProperties === 'number' && size < minProperties) {
    return scope.fail(`expected at least ${minProperties} properties, got ${size}`);
  }
  if (typeof maxProperties === 'number' && size > maxProperties) {
    return scope.fail(`expected at most ${maxProperties} properties, got ${size}`);
  }
  return 'fits';
}

function checkProperties(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  let verdict: Verdict = 'fits';
  for (const [key, property] of Object.entries(propertiesOf(schema))) {
    if (!Object.hasOwn(value, key)) continue;
    verdict = both(verdict, scope.check(property, value[key] as JsonValue, key));
  }
  return verdict;
}

/** `patternProperties`, and `additionalProperties` for whatever no other rule names. */
function checkOthers(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  const { patternProperties, additionalProperties = true } = schema;
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (patterns.length === 0 && additionalProperties === true) return 'fits';
  const named = propertiesOf(schema);
  let verdict: Verdict = 'fits';
  for (const [key, item] of Object.entries(value)) {
    if (scope.hasEnough || !scope.spend(1 + patterns.length)) return both(verdict, 'unknown');
    const matched = checkPatterns(patterns, key, { item, scope });
    verdict = both(verdict, matched ?? 'fits');
    if (matched !== undefined || Object.hasOwn(named, key)) continue;
    verdict = both(verdict, checkAdditional(schema, key, { item, scope }));
  }
  return verdict;
}

interface Property {
  readonly item: JsonValue;
  readonly scope: Scope;
}

/** Undefined if no pattern names the key. One that cannot be tried may well name it. */
function checkPatterns(
  patterns: readonly (readonly [string, JsonValue])[],
  key: string,
  { item, scope }: Property,
): Verdict | undefined {
  let verdict: Verdict | undefined;
  for (const [source, schema] of patterns) {
    const matches = scope.shared.patternOf(source)?.test(key);
    if (matches === false) continue;
    const one = matches ? scope.check(schema, item, key) : 'unknown';
    verdict = both(verdict ?? 'fits', one);
  }
  return verdict;
}

function checkAdditional(schema: JsonObject, key: string, { item, scope }: Property): Verdict {
  const { additionalProperties = true } = schema;
  if (additionalProperties !== false) return scope.check(additionalProperties, item, key);
  return scope.fail(unknownName(key, Object.keys(propertiesOf(schema))), { step: key });
}

/** Says that a name is not known, and which was probably meant: the nearest three. */
export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'unknown name; none is known here';
  const meant = closestWord(name, known);
  const nearest = nearestNames(name, known, NEAREST_NAMES);
  if (meant !== undefined) {
    const [last, ...before] = [...new Set([meant, ...nearest])].slice(0, NEAREST_NAMES).reverse();
    const names = [before.reverse().map(show).join(', '), show(last ?? meant)];
    return `unknown name; did you mean ${names.filter(Boolean).join(' or ')}?`;
  }
  if (known.length <= SHOWN_NAMES) return `unknown name; known are ${known.join(', ')}`;
  return `unknown name; the nearest of ${known.length} are ${nearest.join(', ')}`;
}

function checkNames(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  const { propertyNames } = schema;
  if (propertyNames === undefined) return 'fits';
  let verdict: Verdict = 'fits';
  for (const key of Object.keys(value)) {
    if (scope.hasEnough || !scope.spend(1)) return both(verdict, 'unknown');
    const { verdict: one, found } = scope.try(propertyNames, key);
    verdict = both(verdict, one);
    if (one === 'fails') scope.fail(`its name is wrong: ${found[0]?.message ?? ''}`, { step: key });
  }
  return verdict;
}

/** `dependencies` until draft 7, since then split by what a name asks for: other names, or a schema. */
function checkDependencies(schema: JsonObject, value: JsonObject, scope: Scope): Verdict {
  const rules = ['dependencies', 'dependentRequired', 'dependentSchemas'].flatMap((keyword) => {
    const rule = schema[keyword];
    return isJsonObject(rule) ? Object.entries(rule) : [];
  });
  let verdict: Verdict = 'fits';
  for (const [key, rule] of rules) {
    if (!Object.hasOwn(value, key)) continue;
    if (!Array.isArray(rule)) verdict = both(verdict, scope.check(rule, value));
    for (const missing of textsIn(rule).filter((name) => !Object.hasOwn(value, name))) {
      verdict = scope.fail(`missing, needed because of ${show(key)}`, { step: missing });
    }
  }
  return verdict;
}
