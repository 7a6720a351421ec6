import type { JsonObject, JsonValue } from '../core/index.js';
import { choicesOf, hasType, typeNames } from '../schema/index.js';
import { sameJson } from './same-json.js';
import type { Scope } from './scope.js';
import { both, type Verdict } from './verdict.js';
import { show } from './violation.js';

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const SHOWN_CHOICES = 12;
const SHOWN_CHOICE = 60;

/** `type`, `enum` and `const`. */
export function checkType(schema: JsonObject, value: JsonValue, scope: Scope): Verdict {
  // Not of JSON Schema, but many descriptions of APIs say it this way.
  if (value === null && schema['nullable'] === true) return 'fits';
  const types = typeNames(schema);
  if (types.length > 0 && !types.some((type) => !TYPES.has(type) || hasType(value, type))) {
    return scope.fail(`expected ${types.join(' or ')}, got ${show(value)}`);
  }
  const named = types.every((type) => TYPES.has(type)) ? 'fits' : 'unknown';
  return both(named, checkChoices(schema, value, scope));
}

function checkChoices(schema: JsonObject, value: JsonValue, scope: Scope): Verdict {
  const choices = choicesOf(schema);
  if (!choices) return 'fits';
  let verdict: Verdict = 'fails';
  for (const choice of choices) {
    const same = sameJson(choice, value, scope);
    if (same === 'fits') return same;
    if (same === 'unknown') verdict = same;
  }
  return verdict === 'fails'
    ? scope.fail(`expected ${listChoices(choices)}, got ${show(value)}`, {
        decides: choices.length === 1,
      })
    : verdict;
}

function listChoices(choices: readonly JsonValue[]): string {
  const shown = choices.slice(0, SHOWN_CHOICES).map(showChoice);
  const more = choices.length - shown.length;
  const list = more > 0 ? [...shown, `${more} more`] : shown;
  return list.length === 1 ? (list[0] ?? '') : `one of ${list.join(', ')}`;
}

function showChoice(choice: JsonValue): string {
  const text = JSON.stringify(choice);
  return text.length > SHOWN_CHOICE ? `${text.slice(0, SHOWN_CHOICE)}…` : text;
}
