import { isJsonObject, type JsonValue } from '../core/index.js';
import type { Scope } from './scope.js';
import { both, type Verdict } from './verdict.js';

const MAX_DEPTH = 100;

/** Whether two values are equal, as far as they are known. */
export function sameJson(one: JsonValue, other: JsonValue, scope: Scope, depth = 0): Verdict {
  if (one === other) return 'fits';
  if (!scope.spend(1) || depth > MAX_DEPTH || scope.shared.isUnknown(other)) return 'unknown';
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return 'fails';
    return samePairs(
      one.map((item, index) => [item, other[index] as JsonValue]),
      scope,
      depth,
    );
  }
  if (Array.isArray(one) || Array.isArray(other)) return 'fails';
  if (!isJsonObject(one) || !isJsonObject(other)) return 'fails';
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return 'fails';
  if (!keys.every((key) => Object.hasOwn(other, key))) return 'fails';
  return samePairs(
    keys.map((key) => [one[key] as JsonValue, other[key] as JsonValue]),
    scope,
    depth,
  );
}

type Pair = readonly [JsonValue, JsonValue];

function samePairs(pairs: readonly Pair[], scope: Scope, depth: number): Verdict {
  let verdict: Verdict = 'fits';
  for (const [one, other] of pairs) {
    verdict = both(verdict, sameJson(one, other, scope, depth + 1));
    if (verdict === 'fails') return verdict;
  }
  return verdict;
}
