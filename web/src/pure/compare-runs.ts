/** Two runs of the same plan, task by task. */
import type { RunTaskInfo } from '../../../src/control/contract/runs.js';

export interface ComparedTask {
  readonly key: string;
  readonly tool: string;
  /** Missing where only the other run has it. */
  readonly left?: RunTaskInfo;
  readonly right?: RunTaskInfo;
  /** How much longer the right one took. */
  readonly moreMs?: number;
  readonly isSameArgs: boolean;
  readonly isSameResult: boolean;
}

/** Tasks belong together by id and tool, else by tool and how often it was called before. */
export function compareRuns(
  left: readonly RunTaskInfo[],
  right: readonly RunTaskInfo[],
): readonly ComparedTask[] {
  const rest = new Map(keyed(right, left));
  const pairs = keyed(left, right).map(([key, one]) => {
    const other = rest.get(key);
    rest.delete(key);
    return compared(key, one, other);
  });
  return [...pairs, ...[...rest].map(([key, one]) => compared(key, undefined, one))];
}

function keyed(
  tasks: readonly RunTaskInfo[],
  others: readonly RunTaskInfo[],
): readonly (readonly [string, RunTaskInfo])[] {
  const ids = new Set(others.map(({ id, tool }) => `${id} ${tool}`));
  const counts = new Map<string, number>();
  return tasks.map((task) => {
    const id = `${task.id} ${task.tool}`;
    if (ids.has(id)) return [id, task] as const;
    const count = (counts.get(task.tool) ?? 0) + 1;
    counts.set(task.tool, count);
    return [`${task.tool}#${count}`, task] as const;
  });
}

function compared(
  key: string,
  left: RunTaskInfo | undefined,
  right: RunTaskInfo | undefined,
): ComparedTask {
  const hasTimes = left?.ms !== undefined && right?.ms !== undefined;
  return {
    key,
    tool: (left ?? right)!.tool,
    ...(left && { left }),
    ...(right && { right }),
    ...(hasTimes && { moreMs: right.ms! - left.ms! }),
    isSameArgs: left?.args === right?.args,
    isSameResult: left?.result === right?.result,
  };
}
