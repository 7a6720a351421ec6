import type { TaskId } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';

/** What people are asked about runs right now, and what they left without an answer. */
export class Dialogs {
  readonly #open = new WeakMap<LiveRun, Set<symbol>>();
  readonly #left = new WeakMap<LiveRun, Set<TaskId>>();

  /** A person sees a question about a run until the returned function is called; twice is harmless. */
  open(live: LiveRun): () => void {
    const dialog = Symbol(live.state.run);
    const open = this.#open.get(live) ?? new Set();
    this.#open.set(live, open.add(dialog));
    return () => void open.delete(dialog);
  }

  isOpen(live: LiveRun): boolean {
    return (this.#open.get(live)?.size ?? 0) > 0;
  }

  /** A person was asked about these tasks and did not want to decide, or is gone. */
  leave(live: LiveRun, tasks: readonly TaskId[]): void {
    this.#left.set(live, new Set([...(this.#left.get(live) ?? []), ...tasks]));
  }

  wasLeft(live: LiveRun, task: TaskId): boolean {
    return this.#left.get(live)?.has(task) ?? false;
  }
}
