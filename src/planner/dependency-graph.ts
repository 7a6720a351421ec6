import type { TaskId } from '../core/index.js';

/** Dependencies between tasks that never close a cycle. */
export class DependencyGraph {
  /** From each task to those that wait for it. */
  readonly #after = new Map<TaskId, Set<TaskId>>();

  has(from: TaskId, to: TaskId): boolean {
    return this.#after.get(from)?.has(to) ?? false;
  }

  /** Adds `to` needs `from`. If that would close a cycle, adds nothing and gives the cycle. */
  add(from: TaskId, to: TaskId): readonly TaskId[] | undefined {
    if (this.has(from, to)) return undefined;
    const back = this.#path(to, from);
    if (back) return [from, ...back];
    const after = this.#after.get(from);
    if (after) after.add(to);
    else this.#after.set(from, new Set([to]));
    return undefined;
  }

  /** A shortest way along the dependencies, both ends included. */
  #path(from: TaskId, to: TaskId): readonly TaskId[] | undefined {
    const cameFrom = new Map<TaskId, TaskId | undefined>([[from, undefined]]);
    for (const task of cameFrom.keys()) {
      if (task === to) return walkBack(to, cameFrom);
      for (const next of this.#after.get(task) ?? []) {
        if (!cameFrom.has(next)) cameFrom.set(next, task);
      }
    }
    return undefined;
  }
}

function walkBack(
  end: TaskId,
  cameFrom: ReadonlyMap<TaskId, TaskId | undefined>,
): readonly TaskId[] {
  const path: TaskId[] = [];
  for (let at: TaskId | undefined = end; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}
