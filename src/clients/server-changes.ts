import type { Change } from '../config/text/edit-jsonc.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../core/index.js';

/** Turns one map of servers into another: at once, or, where some entries stay, one by one. */
export function serverChanges(
  before: JsonObject,
  after: JsonObject,
  place: readonly string[],
): readonly Change[] {
  const isKept = (name: string) => isSameEntry(before[name], after[name]);
  if (!Object.keys(after).some(isKept)) return [{ path: place, value: after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !isKept(name))
    .map((name) => ({ path: [...place, name], value: after[name] }));
}

export function isSameEntry(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return canonicalJson(one) === canonicalJson(other);
}
