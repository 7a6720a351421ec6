import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PastBinding,
  type RunEvent,
  type Task,
  type TaskId,
} from '../core/index.js';
import { CONTEXT, outputValue, readReferences, resolveArgs } from '../planner/index.js';

/** One call of a run: the task, when it left, and how it ended. */
export interface TracedCall {
  readonly task: Task;
  readonly startedAt: number;
  readonly end: Extract<RunEvent, { type: 'task-succeeded' | 'task-failed' }>;
}

/** A shorter text or a smaller number is the same in two places too often by chance. */
const TELLING_CHARACTERS = 4;
const TELLING_NUMBER = 1_000;
/** Of one result; a list of thousands tells nothing more than its first entries. */
const MOST_VALUES = 2_000;
const MOST_BINDINGS = 200;

/**
 * Which values really went from one call into another: those a reference took there, and those of a
 * result that stand in the arguments of a call made after it.
 */
export function findFlows(
  calls: readonly TracedCall[],
  context: JsonObject,
): readonly PastBinding[] {
  const outputs = new Map<TaskId, JsonValue>([[CONTEXT, context]]);
  for (const { task, end } of calls) {
    if (end.type === 'task-succeeded') outputs.set(task.id, outputValue(end.result));
  }
  const values = new Map<number, ReadonlyMap<JsonValue, string>>();
  const flows = calls.flatMap((consumer, to) => {
    const referred = byReference(consumer, to, calls);
    const known = new Set(referred.map(({ from, param }) => `${from} ${param ?? ''}`));
    const matched = byValue(consumer, to, { calls, outputs, values });
    return [
      ...referred,
      ...matched.filter(({ from, param }) => !known.has(`${from} ${param ?? ''}`)),
    ];
  });
  return flows.slice(0, MOST_BINDINGS);
}

function byReference(
  { task }: TracedCall,
  to: number,
  calls: readonly TracedCall[],
): PastBinding[] {
  return readReferences(task).flatMap(({ task: producer, field, param }) => {
    const from = calls.findLastIndex(
      (call) => call.task.id === producer && call.end.type === 'task-succeeded',
    );
    return from < 0 ? [] : [{ from, to, ...(field && { field }), param }];
  });
}

interface Known {
  readonly calls: readonly TracedCall[];
  readonly outputs: ReadonlyMap<TaskId, JsonValue>;
  readonly values: Map<number, ReadonlyMap<JsonValue, string>>;
}

function byValue(consumer: TracedCall, to: number, known: Known): PastBinding[] {
  const args = resolvedArgs(consumer.task, known.outputs);
  const leaves = Object.entries(args).flatMap(([param, value]) =>
    [...leavesOf(value)].map(([leaf]) => ({ param, leaf })),
  );
  if (leaves.length === 0) return [];
  return known.calls.flatMap((producer, from) => {
    if (producer.end.type !== 'task-succeeded' || producer.end.at > consumer.startedAt) return [];
    const there = valuesOf(producer, from, known);
    const found = new Map<string, PastBinding>();
    for (const { param, leaf } of leaves) {
      const field = there.get(leaf);
      if (field !== undefined && !found.has(param)) {
        found.set(param, { from, to, ...(field && { field }), param });
      }
    }
    return [...found.values()];
  });
}

function valuesOf(producer: TracedCall, from: number, { outputs, values }: Known) {
  const known = values.get(from);
  if (known) return known;
  const made = leavesOf(outputs.get(producer.task.id) ?? null);
  values.set(from, made);
  return made;
}

function resolvedArgs(task: Task, outputs: ReadonlyMap<TaskId, JsonValue>): JsonObject {
  try {
    return resolveArgs(task, outputs);
  } catch {
    return {}; // A reference into a result that is not there: nothing flowed.
  }
}

/** Telling values and where they stand, `items[0].id`; the place nearest to the top of each. */
function leavesOf(value: JsonValue): ReadonlyMap<JsonValue, string> {
  const leaves = new Map<JsonValue, string>();
  const found: [value: JsonValue, path: string][] = [[value, '']];
  for (const [one, path] of found) {
    for (const part of partsOf(one, path)) {
      if (found.length >= MOST_VALUES) break;
      found.push(part);
    }
    if (isTelling(one) && !leaves.has(one)) leaves.set(one, path);
  }
  return leaves;
}

function* partsOf(value: JsonValue, path: string): Generator<[value: JsonValue, path: string]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield [item as JsonValue, `${path}[${index}]`];
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) yield [item, path ? `${path}.${key}` : key];
  }
}

function isTelling(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length >= TELLING_CHARACTERS;
  return typeof value === 'number' && Math.abs(value) >= TELLING_NUMBER;
}
