import { type Plan, PmlError, type Task, type TaskId } from '../core/index.js';
import { orderTasks } from './order-tasks.js';
import { parseTask } from './parse-task.js';
import { Problems } from './problems.js';
import { readIds } from './read-ids.js';

export interface ParsePlanOptions {
  readonly maxTasks: number;
}

/**
 * Reads the `tasks` of a request. Throws `PLAN_INVALID` with every problem and where it is, so
 * that an agent can correct its call in one go, or `PLAN_HAS_CYCLE` with the cycle.
 */
export function parsePlan(tasks: unknown, { maxTasks }: ParsePlanOptions): Plan {
  const problems = new Problems();
  const plan = { tasks: readTasks(tasks, maxTasks, problems) };
  problems.throwIfAny();
  orderTasks(plan);
  return plan;
}

function readTasks(tasks: unknown, maxTasks: number, problems: Problems): readonly Task[] {
  if (!Array.isArray(tasks)) {
    problems.expected('tasks', 'an array of tasks', tasks);
    return [];
  }
  if (tasks.length === 0) problems.add('tasks', 'holds no task');
  if (tasks.length > maxTasks) {
    // Reading on would only bury this under its consequences.
    throw new PmlError('PLAN_INVALID', `tasks: ${tasks.length} tasks, at most ${maxTasks} may run`);
  }
  const ids = readIds(tasks, problems);
  const known = new Set<TaskId>(ids);
  return tasks.map((task: unknown, index) =>
    parseTask(task, { id: ids[index] as TaskId, path: `tasks[${index}]`, known, problems }),
  );
}
