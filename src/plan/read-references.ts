import type { Task, TaskId } from '../core/index.js';
import { parseReference } from './reference.js';
import { replaceReferences } from './replace-references.js';

export interface FoundReference {
  readonly task: TaskId;
  /** Path in the output of that task; empty for all of it. */
  readonly field: string;
  /** The parameter it stands in. */
  readonly param: string;
}

/** Every reference in the arguments of a task of a valid plan. */
export function readReferences({ args, needs }: Task): readonly FoundReference[] {
  const known = new Set<string>(needs);
  return Object.entries(args).flatMap(([param, value]) => {
    const found: FoundReference[] = [];
    replaceReferences(value, param, {
      isTask: (name) => known.has(name),
      visit(reference) {
        const { task, text } = parseReference(reference);
        found.push({ task, field: text.slice(task.length).replace(/^\./, ''), param });
        return null;
      },
    });
    return found;
  });
}
