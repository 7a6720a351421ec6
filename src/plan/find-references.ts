import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type TaskId,
  taskId,
} from '../core/index.js';
import { meantReference, misreadPlaceholders } from './misread-placeholders.js';
import type { Problems } from './problems.js';
import { parseReference, referenceHead } from './reference.js';
import { replaceReferences } from './replace-references.js';

export interface ReferenceContext {
  readonly path: string;
  readonly known: ReadonlySet<TaskId>;
  readonly hasContext: boolean;
  readonly problems: Problems;
}

/** A reference to it means the context of the run, unless a task has that name. */
export const CONTEXT = taskId('context');

/** Far beyond real arguments, far below what would exhaust the stack. */
const MAX_DEPTH = 100;

/** The tasks whose output the arguments refer to. */
export function findReferences(
  args: JsonObject,
  { path, known, hasContext, problems }: ReferenceContext,
): ReadonlySet<TaskId> {
  const found = new Set<TaskId>();
  if (isDeeperThan(args, MAX_DEPTH)) {
    problems.add(`${path}.args`, `nested deeper than ${MAX_DEPTH} levels`);
    return found;
  }
  const isTask = (name: string) => known.has(taskId(name)) || (hasContext && name === CONTEXT);
  // A task alone has nothing to refer to: whatever it holds is text.
  const canRefer = known.size > 1 || hasContext;
  replaceReferences(args, `${path}.args`, {
    isTask,
    text(text, at) {
      if (!canRefer) return;
      for (const problem of misreadPlaceholders(text, isTask, known)) problems.add(at, problem);
    },
    visit(reference, at) {
      const head = taskId(referenceHead(reference));
      if (known.has(head)) found.add(head);
      checkPath(reference, at, problems);
      return null;
    },
    unknown(text, at) {
      const write = meantReference(text, isTask);
      if (write === undefined) problems.unknownTask(at, referenceHead(text), known);
      else problems.add(at, `no task \`${referenceHead(text)}\`; write \`${write}\``);
    },
  });
  return found;
}

function checkPath(reference: string, at: string, problems: Problems): void {
  try {
    parseReference(reference);
  } catch (error) {
    problems.add(at, messageOf(error));
  }
}

function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (levels === 0) return true;
  if (!Array.isArray(value) && !isJsonObject(value)) return false;
  return Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
