import type { RunDetails, RunTaskInfo, ScriptInfo } from '../../control/index.js';

/** One row of a run, and how far in it stands. */
export type RunRow = { readonly level: number } & (
  | { readonly kind: 'task'; readonly task: RunTaskInfo }
  | { readonly kind: 'operation'; readonly operation: ScriptInfo['operations'][number] }
  | { readonly kind: 'line'; readonly text: string }
);

/**
 * A run in the order of a reader: by layer, what a capability did below its own row, operations
 * between the calls they came between, and what code printed after all it did.
 */
export function nestTasks({ tasks, script }: Pick<RunDetails, 'tasks' | 'script'>): RunRow[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const callsOf = (parent: string | undefined) =>
    tasks.filter((task) => (ids.has(task.parent ?? '') ? task.parent : undefined) === parent);
  const rowsOf = (
    calls: readonly RunTaskInfo[],
    code: ScriptInfo | undefined,
    levelOf: (task?: RunTaskInfo) => number,
  ): RunRow[] => {
    const operations = [...(code?.operations ?? [])];
    const operationsBefore = (call: number): RunRow[] => {
      const later = operations.findIndex(({ afterCall }) => afterCall >= call);
      const before = operations.splice(0, later < 0 ? operations.length : later);
      return before.map((operation) => ({ kind: 'operation', level: levelOf(), operation }));
    };
    return [
      ...calls.flatMap((task, place): RunRow[] => {
        const level = levelOf(task);
        return [
          ...operationsBefore(place + 1),
          { kind: 'task', level, task },
          ...rowsOf(callsOf(task.id), task.script, () => level + 1),
        ];
      }),
      ...operationsBefore(Infinity),
      ...(code?.logs ?? []).map((text): RunRow => ({ kind: 'line', level: levelOf(), text })),
    ];
  };
  const first = callsOf(undefined).toSorted((a, b) => a.layer - b.layer);
  return rowsOf(first, script, (task) => task?.layer ?? 0);
}
