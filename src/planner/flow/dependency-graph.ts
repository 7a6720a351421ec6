import type { TaskId } from '../../core/index.js';

/** Dependencies between tasks that never close a cycle. */
export class DependencyGraph {
  /** From each task to those that directly wait for it. */
  readonly #after = new Map<TaskId, Set<TaskId>>();
  /** All tasks that come before each task, directly or not: asking must be cheap, it is done most. */
  readonly #before = new Map<TaskId, Set<TaskId>>();

  /** Adds `to` needs `from`. If that would close a cycle, adds nothing and says so. */
  add(from: TaskId, to: TaskId): boolean {
    if (from === to || this.#before.get(from)?.has(to)) return false;
    const after = this.#after.get(from);
    if (after) after.add(to);
    else this.#after.set(from, new Set([to]));
    this.#comesBefore(from, to);
    return true;
  }

  /** Whether the first task comes before the second, directly or indirectly. */
  isBefore(first: TaskId, second: TaskId): boolean {
    return this.#before.get(second)?.has(first) === true;
  }

  /** The cycle that `to` needs `from` would close, from `from` over `to` back to `from`. */
  cycle(from: TaskId, to: TaskId): readonly TaskId[] {
    const path = [from];
    const before = this.#before.get(from);
    // Every step that comes before `from` leads there.
    for (let at: TaskId | undefined = to; at !== undefined && at !== from;) {
      path.push(at);
      const next: readonly TaskId[] = [...(this.#after.get(at) ?? [])];
      at = next.includes(from) ? from : next.find((task) => before?.has(task));
    }
    return [...path, from];
  }

  /** Tells `to` and all that come after it of `from` and all that come before it. */
  #comesBefore(from: TaskId, to: TaskId): void {
    const earlier = [from, ...(this.#before.get(from) ?? [])];
    const told = new Set([to]);
    for (const task of told) {
      const before = this.#before.get(task) ?? new Set();
      // `to`, and every task after it, inherits all predecessors of `from`.
      if (before.has(from)) continue;
      for (const one of earlier) before.add(one);
      this.#before.set(task, before);
      for (const next of this.#after.get(task) ?? []) told.add(next);
    }
  }
}
