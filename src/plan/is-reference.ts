import { isJsonObject, type JsonValue, type Task } from '../core/index.js';
import { CONTEXT } from './find-references.js';
import { replaceReferences } from './replace-references.js';

/** Tells the values in a task's arguments that are filled in when it starts. */
export function referenceTest({ needs }: Pick<Task, 'needs'>): (value: JsonValue) => boolean {
  const known = new Set<string>([...needs, CONTEXT]);
  return (value) => {
    if (typeof value !== 'string' && !isJsonObject(value)) return false;
    if (isJsonObject(value) && value['$ref'] === undefined) return false;
    let isFound = false;
    replaceReferences(value, '', {
      isTask: (name) => known.has(name),
      visit() {
        isFound = true;
        return null;
      },
    });
    return isFound;
  };
}
