import type { RunState, TaskId, TracedOperation } from '../../core/index.js';
import type { TracedCall } from './find-flows.js';

/** One thing that was done: a call, or what code did with its own data. */
export type Step = (
  | { readonly call: TracedCall }
  | { readonly call?: never; readonly operation: TracedOperation }
) & {
  /** Place among the steps of the call of the capability whose code did it. */
  readonly parent?: number;
};

/**
 * Everything a run did. What a capability did stands behind its call, before what came after that;
 * on each level calls stand in the order in which they left, and an operation before the first call
 * that its code made after it.
 */
export function orderPath(calls: readonly TracedCall[], state: RunState): readonly Step[] {
  const byId = new Map(state.tasks.map((one) => [one.task.id, one]));
  const made = countCalls(state);
  const attempts = groupBy(calls, ({ task }) => task.id);
  const below = groupBy(calls, (call) => callAbove(call, attempts, byId));
  const steps: Step[] = [];
  const add = (above: TracedCall | undefined, operations: readonly TracedOperation[]): void => {
    const parent = above && { parent: steps.length - 1 };
    const left = [...operations];
    const addOperations = (before: number) => {
      while (left[0] && left[0].afterCall < before) {
        steps.push({ operation: left.shift() as TracedOperation, ...parent });
      }
    };
    for (const call of below.get(above) ?? []) {
      const isOwn = call.task.parent === above?.task.id;
      addOperations(isOwn ? (made.get(call.task.id) ?? 0) : 0);
      steps.push({ call, ...parent });
      const isLast = attempts.get(call.task.id)?.at(-1) === call;
      add(call, isLast ? (byId.get(call.task.id)?.script?.operations ?? []) : []);
    }
    addOperations(Infinity);
  };
  add(undefined, state.script?.operations ?? []);
  return steps;
}

function groupBy<Key>(
  calls: readonly TracedCall[],
  keyOf: (call: TracedCall) => Key,
): ReadonlyMap<Key, readonly TracedCall[]> {
  const groups = new Map<Key, TracedCall[]>();
  for (const call of calls) {
    const key = keyOf(call);
    const group = groups.get(key);
    if (group) group.push(call);
    else groups.set(key, [call]);
  }
  return groups;
}

/** The how-many-eth call of its code each task is, from 1. */
function countCalls({ tasks }: RunState): ReadonlyMap<TaskId, number> {
  const counts = new Map<TaskId | undefined, number>();
  return new Map(
    tasks.map(({ task }) => {
      const count = (counts.get(task.parent) ?? 0) + 1;
      counts.set(task.parent, count);
      return [task.id, count] as const;
    }),
  );
}

/** The call that made this one; where that came to no end, the one that made that. */
function callAbove(
  { task, startedAt }: TracedCall,
  attempts: ReadonlyMap<TaskId, readonly TracedCall[]>,
  byId: ReadonlyMap<TaskId, RunState['tasks'][number]>,
): TracedCall | undefined {
  for (let up = task.parent; up !== undefined; up = byId.get(up)?.task.parent) {
    const above = attempts.get(up) ?? [];
    const found = above.findLast((call) => call.startedAt <= startedAt) ?? above[0];
    if (found) return found;
  }
  return undefined;
}
