import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Task,
  type ToolId,
} from '../../core/index.js';
import { CONTEXT, isDottedPath, referenceHead } from '../../plan/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import { withGuesses } from '../with-guesses.js';
import type { ProposedValue } from './fill-arguments.js';
import { withValueAt } from './fill-nested.js';

/** The tasks with the values that were found for them. */
export function withValues(
  tasks: readonly Task[],
  values: readonly ProposedValue[],
  { tools }: { readonly tools: ReadonlyMap<ToolId, PlannableTool> },
): readonly Task[] {
  const names = namesOf(tasks);
  return tasks.map((task) => {
    const own = values.filter((one) => one.task === task.id);
    const schema = tools.get(task.tool)?.inputSchema ?? {};
    return own.length === 0 ? task : withOwnValues(task, own, { names, schema });
  });
}

export function withOwnValues(
  task: Task,
  values: readonly ProposedValue[],
  { names, schema }: { readonly names: ReadonlySet<string>; readonly schema: JsonObject },
): Task {
  const args = values.reduce((so, { param, value }) => {
    return withValueAt(so, param, { value: escaped(value, names), schema });
  }, task.args);
  return withGuesses({ ...task, args }, values);
}

/** What a reference can begin with. */
export function namesOf(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set<string>([...tasks.map(({ id }) => id), CONTEXT]);
}

/** Escapes text that looks like a reference: the author of the request did not mean one. */
export function escaped(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => escaped(item, names));
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, escaped(part, names)]),
    );
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(/(?<!\$)\$\{([^{}]*)\}/g, (whole, inner: string) =>
    names.has(referenceHead(inner)) || isDottedPath(inner.trim()) ? `$${whole}` : whole,
  );
}
