import { type JsonObject, type Plan, PmlError, type Task, type TaskId } from '../core/index.js';
import { orderTasks } from './order-tasks.js';
import { parseTask } from './parse-task.js';
import { Problems } from './problems.js';
import { readIds } from './read-ids.js';

export interface ParsePlanOptions {
  /** Together with those that exist. */
  readonly maxTasks: number;
  /** Tasks of the run the new ones are added to: they may be referred to, and keep their ids. */
  readonly existing?: readonly Task[];
  /** Whether `${context.…}` means the context of the run. */
  readonly hasContext?: boolean;
}

/** A plan as it was asked for. */
export interface ParsedPlan extends Plan {
  /** Tasks that say nothing of what they depend on: neither `needs`, be it empty, nor a reference. */
  readonly open: ReadonlySet<TaskId>;
}

/**
 * Reads the `tasks` of a request. Throws `PLAN_INVALID` with every problem and where it is, so
 * that an agent can correct its call in one go, or `PLAN_HAS_CYCLE` with the cycle.
 */
export function parsePlan(tasks: unknown, options: ParsePlanOptions): ParsedPlan {
  const problems = new Problems();
  const read = readTasks(tasks, options, problems);
  problems.throwIfAny();
  orderTasks({ tasks: [...(options.existing ?? []), ...read] });
  return { tasks: read, open: openTasks(tasks as readonly JsonObject[], read) };
}

function openTasks(asked: readonly JsonObject[], read: readonly Task[]): ReadonlySet<TaskId> {
  const open = read.filter(({ needs }, index) => {
    return needs.length === 0 && asked[index]?.['needs'] === undefined;
  });
  return new Set(open.map(({ id }) => id));
}

function readTasks(
  tasks: unknown,
  { maxTasks, existing = [], hasContext = false }: ParsePlanOptions,
  problems: Problems,
): readonly Task[] {
  if (!Array.isArray(tasks)) {
    problems.expected('tasks', 'an array of tasks', tasks);
    return [];
  }
  if (tasks.length === 0) problems.add('tasks', 'holds no task');
  const count = tasks.length + existing.length;
  if (count > maxTasks) {
    // Reading on would only bury this under its consequences.
    throw new PmlError('PLAN_INVALID', `tasks: ${count} tasks, at most ${maxTasks} may run`);
  }
  const taken = existing.map(({ id }) => id);
  const ids = readIds(tasks, taken, problems);
  const known = new Set<TaskId>([...taken, ...ids]);
  return tasks.map((task: unknown, index) => {
    const id = ids[index] as TaskId;
    return parseTask(task, { id, path: `tasks[${index}]`, known, hasContext, problems });
  });
}
