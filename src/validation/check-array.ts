import type { JsonObject, JsonValue } from '../core/index.js';
import { itemSchemas } from '../schema/index.js';
import { sameJson } from './same-json.js';
import type { Scope } from './scope.js';
import { both, type Verdict } from './verdict.js';

type Items = readonly JsonValue[];

export function checkArray(schema: JsonObject, value: Items, scope: Scope): Verdict {
  const whole = both(checkCount(schema, value, scope), checkItems(schema, value, scope));
  return both(both(whole, checkContains(schema, value, scope)), checkUnique(schema, value, scope));
}

function checkCount({ minItems, maxItems }: JsonObject, value: Items, scope: Scope): Verdict {
  if (typeof minItems === 'number' && value.length < minItems) {
    return scope.fail(`expected at least ${count(minItems)}, got ${value.length}`);
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return scope.fail(`expected at most ${count(maxItems)}, got ${value.length}`);
  }
  return 'fits';
}

function count(items: number): string {
  return `${items} item${items === 1 ? '' : 's'}`;
}

function checkItems(schema: JsonObject, value: Items, scope: Scope): Verdict {
  const { first, rest } = itemSchemas(schema);
  let verdict: Verdict = 'fits';
  if (first.length === 0 && rest === undefined) return verdict;
  for (const [index, item] of value.entries()) {
    const one = first[index] ?? rest;
    if (one === undefined) break;
    verdict = both(verdict, scope.check(one, item, index));
    if (scope.hasEnough || scope.isSpent) return both(verdict, 'unknown');
  }
  return verdict;
}

function checkContains(schema: JsonObject, value: Items, scope: Scope): Verdict {
  const { contains } = schema;
  if (contains === undefined) return 'fits';
  const least = countIn(schema['minContains'], 1);
  const most = countIn(schema['maxContains'], Infinity);
  const verdicts = value.map((item, index) => scope.try(contains, item, index).verdict);
  const sure = verdicts.filter((verdict) => verdict === 'fits').length;
  const possible = sure + verdicts.filter((verdict) => verdict === 'unknown').length;
  if (possible < least) {
    return scope.fail(
      `expected at least ${least} of its items to fit \`contains\`, got ${possible}`,
    );
  }
  if (sure > most) {
    return scope.fail(`expected at most ${most} of its items to fit \`contains\`, got ${sure}`);
  }
  return sure === possible ? 'fits' : 'unknown';
}

function countIn(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function checkUnique(schema: JsonObject, value: Items, scope: Scope): Verdict {
  if (schema['uniqueItems'] !== true) return 'fits';
  const plain = new Map<JsonValue, number>();
  const nested: number[] = [];
  // A reference may turn out to be the same as any other item.
  let verdict: Verdict = 'fits';
  for (const [index, item] of value.entries()) {
    if (!scope.spend(1)) return 'unknown';
    if (scope.shared.isUnknown(item)) {
      if (value.length > 1) verdict = 'unknown';
      continue;
    }
    const same = isNested(item) ? findSame(value, nested, { item, scope }) : plain.get(item);
    if (same === 'unknown') return same;
    if (same !== undefined)
      return scope.fail(`the same as item ${same}, but items must differ`, { step: index });
    if (isNested(item)) nested.push(index);
    else plain.set(item, index);
  }
  return verdict;
}

function isNested(item: JsonValue): boolean {
  return typeof item === 'object' && item !== null;
}

/** Compares with each one before it; the budget ends that for arrays it would take too long for. */
function findSame(
  value: Items,
  earlier: readonly number[],
  { item, scope }: { item: JsonValue; scope: Scope },
): number | 'unknown' | undefined {
  for (const index of earlier) {
    const same = sameJson(value[index] as JsonValue, item, scope);
    if (same === 'unknown') return same;
    if (same === 'fits') return index;
  }
  return undefined;
}
