import { isJsonObject, type TaskId, taskId } from '../core/index.js';
import type { Problems } from './problems.js';

const TASK_ID = /^[\w-]{1,64}$/;

/** The id of each task: its own or, by place, `t1`, `t2`, … */
export function readIds(tasks: readonly unknown[], problems: Problems): readonly TaskId[] {
  const owners = new Map<TaskId, number>();
  return tasks.map((task, index) => {
    const id = readId(task, index, problems);
    const owner = owners.get(id);
    if (owner === undefined) owners.set(id, index);
    else problems.add(`tasks[${index}].id`, `\`${id}\` is already the id of tasks[${owner}]`);
    return id;
  });
}

function readId(task: unknown, index: number, problems: Problems): TaskId {
  const byPlace = taskId(`t${index + 1}`);
  const id = isJsonObject(task) ? task['id'] : undefined;
  if (id === undefined) return byPlace;
  if (typeof id === 'string' && TASK_ID.test(id)) return taskId(id);
  problems.expected(`tasks[${index}].id`, 'letters, digits, "_" or "-" (at most 64)', id);
  return byPlace;
}
