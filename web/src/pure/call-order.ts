/** Calls of a script need nothing of each other by plan; their order in time says what came first. */
import type { RunTaskInfo } from '../../../src/control/contract/runs.js';
import { callsOfRun, sequenceOf, type SequenceStep } from './call-sequence.js';
import type { DagTask } from './place-dag.js';

export function withOrder(tasks: readonly RunTaskInfo[]): readonly DagTask[] {
  const after = new Map<string, readonly string[]>();
  const walk = (steps: readonly SequenceStep[]) => {
    steps.forEach(({ calls }, place) => {
      const before = steps[place - 1]?.calls.map(({ call }) => call.id) ?? [];
      for (const { call, inside } of calls) {
        after.set(call.id, before);
        walk(inside);
      }
    });
  };
  walk(sequenceOf(callsOfRun(tasks)));
  const planned = new Set(
    tasks.flatMap(({ id, needs }) => [...needs, ...(needs.length > 0 ? [id] : [])]),
  );
  const isPlanned = (task: RunTaskInfo) =>
    planned.size > 0 && (task.parent === undefined || planned.has(task.id));
  return tasks.map((task) => {
    const { id, needs, parent } = task;
    return {
      id,
      needs,
      ...(parent !== undefined && { parent }),
      ...(!isPlanned(task) && { after: after.get(id) ?? [] }),
    };
  });
}
