import { isJsonObject, type TaskId, taskId } from '../core/index.js';
import type { Problems } from './problems.js';

const TASK_ID = /^[\w-]{1,64}$/;

export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** The id of each task: its own or, by place after those that are taken, `t1`, `t2`, … */
export function readIds(
  tasks: readonly unknown[],
  taken: readonly TaskId[],
  problems: Problems,
): readonly TaskId[] {
  const owners = new Map<TaskId, string>(taken.map((id) => [id, 'a task of the run']));
  return tasks.map((task, index) => {
    const id = readId(task, { index, place: taken.length + index + 1 }, problems);
    const owner = owners.get(id);
    if (owner === undefined) owners.set(id, `tasks[${index}]`);
    else problems.add(`tasks[${index}].id`, `\`${id}\` is already the id of ${owner}`);
    return id;
  });
}

function readId(
  task: unknown,
  { index, place }: { index: number; place: number },
  problems: Problems,
): TaskId {
  const byPlace = taskId(`t${place}`);
  const id = isJsonObject(task) ? task['id'] : undefined;
  if (id === undefined) return byPlace;
  if (typeof id === 'string' && isTaskId(id)) return taskId(id);
  problems.expected(`tasks[${index}].id`, 'letters, digits, "_" or "-" (at most 64)', id);
  return byPlace;
}
