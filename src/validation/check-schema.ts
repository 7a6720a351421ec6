import { asText, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { isResource, resolveReference } from '../schema/index.js';
import { checkArray } from './check-array.js';
import { checkBranches } from './check-branches.js';
import { checkNumber } from './check-number.js';
import { checkObject } from './check-object.js';
import { checkText } from './check-text.js';
import { checkType } from './check-type.js';
import type { Scope } from './scope.js';
import { both, type Verdict } from './verdict.js';
import { show } from './violation.js';

/** Far deeper than real schemas and values, far below what would exhaust the stack. */
const MAX_DEPTH = 250;

/** Up to draft 7, all keywords beside a `$ref` are ignored. */
const REF_STANDS_ALONE = /draft-0?[34567]\b/;

/**
 * Checks a value against a schema of any draft from 4 to 2020-12. The form of a keyword tells its
 * draft. Never throws: a keyword that it does not understand is `unknown`.
 */
export function checkSchema(schema: JsonValue, value: JsonValue, scope: Scope): Verdict {
  if (!scope.spend(1) || scope.depth > MAX_DEPTH) return 'unknown';
  if (scope.shared.isUnknown(value)) return 'unknown';
  if (schema === false) return scope.fail(`not allowed here, got ${show(value)}`);
  if (!isJsonObject(schema)) return schema === true ? 'fits' : 'unknown';
  if (isResource(schema) && schema !== scope.root) return scope.checkIn(schema, schema, value);
  if (typeof schema['$ref'] !== 'string') return checkKeywords(schema, value, scope);
  const target = checkRef(schema['$ref'], value, scope);
  if (REF_STANDS_ALONE.test(asText(scope.root['$schema']))) return target;
  return both(target, checkKeywords(schema, value, scope));
}

function checkRef(reference: string, value: JsonValue, scope: Scope): Verdict {
  const { document } = scope.shared;
  const target = resolveReference(reference, { document, root: scope.root });
  return target ? scope.checkIn(target.root, target.schema, value) : 'unknown';
}

function checkKeywords(schema: JsonObject, value: JsonValue, scope: Scope): Verdict {
  const type = checkType(schema, value, scope);
  // A wrong type is the cause of all other violations of the value.
  if (type === 'fails') return type;
  const all = both(type, checkBranches(schema, value, scope));
  return both(both(all, checkContent(schema, value, scope)), unreadable(schema));
}

function checkContent(schema: JsonObject, value: JsonValue, scope: Scope): Verdict {
  if (typeof value === 'string') return checkText(schema, value, scope);
  if (typeof value === 'number') return checkNumber(schema, value, scope);
  if (Array.isArray(value)) return checkArray(schema, value, scope);
  return isJsonObject(value) ? checkObject(schema, value, scope) : 'fits';
}

/** These keywords depend on all other keywords that were evaluated, so they are `unknown`. */
function unreadable(schema: JsonObject): Verdict {
  const isReadable =
    schema['$dynamicRef'] === undefined &&
    schema['$recursiveRef'] === undefined &&
    (schema['unevaluatedProperties'] ?? true) === true &&
    (schema['unevaluatedItems'] ?? true) === true;
  return isReadable ? 'fits' : 'unknown';
}
