import type { JsonObject, JsonValue, Task } from '../core/index.js';
import { replaceReferences } from './replace-references.js';
import { resultKey, type ResultReference } from './result-reference.js';

/** Every kept result that is named in a value, with its place. */
export function findResults(
  value: JsonValue,
  path: string,
): readonly (ResultReference & { readonly at: string })[] {
  const found: (ResultReference & { at: string })[] = [];
  replaceResults(value, path, (reference, at) => {
    found.push({ ...reference, at });
    return null;
  });
  return found;
}

/** The value with every result in the place of its name. Other references stay. */
export function fillResults(value: JsonValue, results: NonNullable<Task['results']>): JsonValue {
  return replaceResults(value, '', (reference) => results[resultKey(reference)]);
}

/** The arguments of a task as they are known when it is planned. */
export function knownArgs({ args, results }: Task): JsonObject {
  return results ? (fillResults(args, results) as JsonObject) : args;
}

function replaceResults(
  value: JsonValue,
  path: string,
  result: (reference: ResultReference, path: string) => JsonValue | undefined,
): JsonValue {
  return replaceReferences(value, path, { isTask: () => false, visit: () => null, result });
}
