import { closestWord, type JsonObject, type JsonValue } from '../core/index.js';
import { propertiesOf } from '../schema/index.js';
import { unknownName } from './check-object.js';
import { createValidator } from './create-validator.js';
import type { Violation } from './violation.js';

/** Rules that may name further parameters, or allow any. */
const OPENING = [
  '$dynamicRef',
  '$recursiveRef',
  '$ref',
  'additionalProperties',
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'if',
  'oneOf',
  'patternProperties',
  'unevaluatedProperties',
];

/**
 * What is wrong with the arguments of a call before it is made. `isReference` tells values that are
 * filled in later: nothing that depends on one is reported. A name that a schema does not forbid but
 * that is a slip of one it lists is reported too, for most servers drop it silently.
 */
export function checkArgs(
  schema: JsonObject,
  args: JsonObject,
  isReference: (value: JsonValue) => boolean,
): readonly Violation[] {
  const found = createValidator(schema)(args, { isUnknown: isReference });
  return [...found, ...findSlips(schema, args)];
}

function findSlips(schema: JsonObject, args: JsonObject): readonly Violation[] {
  if (OPENING.some((keyword) => schema[keyword] !== undefined)) return [];
  const known = Object.keys(propertiesOf(schema));
  // A parameter that is given under its own name was not meant by another.
  const open = known.filter((name) => !Object.hasOwn(args, name));
  return Object.keys(args)
    .filter((name) => !known.includes(name) && closestWord(name, open) !== undefined)
    .map((name) => ({ path: name, message: unknownName(name, open) }));
}
