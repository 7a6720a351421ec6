import { PmlError, type RunState, type Task, type TaskId } from '../core/index.js';

/** The capabilities that run the code of a task. Code that comes to run itself would never end. */
export function scriptsAbove({ tasks }: RunState, id: TaskId): readonly Task[] {
  const byId = new Map(tasks.map(({ task }) => [task.id, task]));
  const own = byId.get(id);
  const above: Task[] = [];
  for (let up = own?.parent; up !== undefined; up = above.at(-1)?.parent) {
    const task = byId.get(up);
    if (!task) break;
    if (task.tool === own?.tool) {
      throw new PmlError('BAD_REQUEST', `${task.tool} comes to call itself`);
    }
    above.push(task);
  }
  return above;
}
