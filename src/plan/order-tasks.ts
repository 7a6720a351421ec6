import { type Plan, PmlError, type Task, type TaskId } from '../core/index.js';

/**
 * Groups tasks into layers: every task sits one layer after the last task it needs, so each
 * layer could run in parallel. Tasks keep their plan order inside a layer.
 */
export function orderTasks({ tasks }: Plan): readonly (readonly Task[])[] {
  const layers: Task[][] = [];
  const placed = new Set<TaskId>();
  let waiting = tasks;
  while (waiting.length > 0) {
    const ready = waiting.filter((task) => task.needs.every((id) => placed.has(id)));
    if (ready.length === 0) throw waitsForever(waiting);
    for (const task of ready) placed.add(task.id);
    layers.push(ready);
    waiting = waiting.filter((task) => !placed.has(task.id));
  }
  return layers;
}

function waitsForever(stuck: readonly Task[]): PmlError {
  const cycle = findCycle(stuck);
  return new PmlError('PLAN_HAS_CYCLE', `Tasks wait for each other: ${cycle.join(' → ')}`, {
    details: { cycle },
  });
}

/** Each stuck task needs another stuck one, so following such needs must come back somewhere. */
function findCycle(stuck: readonly Task[]): TaskId[] {
  const byId = new Map(stuck.map((task) => [task.id, task]));
  const walked: TaskId[] = [];
  let next = stuck[0];
  while (next && !walked.includes(next.id)) {
    walked.push(next.id);
    const need = next.needs.find((id) => byId.has(id));
    if (need === undefined) throw unknownNeed(next);
    next = byId.get(need);
  }
  const start = walked.indexOf(next?.id as TaskId);
  return [...walked.slice(start), walked[start] as TaskId];
}

function unknownNeed({ id, needs }: Task): PmlError {
  return new PmlError('PLAN_INVALID', `Task \`${id}\` needs a task that is not in the plan`, {
    details: { task: id, needs },
  });
}
