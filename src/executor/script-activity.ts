import type { RunEvent, TaskId, TaskState } from '../core/index.js';
import { hasEnded } from './has-ended.js';
import type { RunRecord } from './run-record.js';

/** The run's own script, or the task that runs one. */
export type ScriptPlace = TaskId | 'main';

/**
 * Which scripts of a run have something to do: the run's own, and those its tasks run. A script is
 * busy until it says that it waits, and again as soon as a call it waits for has ended. A run whose
 * scripts are all idle may pause.
 */
export class ScriptActivity {
  readonly #record: RunRecord;
  readonly #busy = new Set<ScriptPlace>();
  /** Calls whose answers scripts wait for, and who waits. */
  readonly #awaited = new Map<TaskId, (() => void)[]>();

  constructor(record: RunRecord) {
    this.#record = record;
    if (record.state.script) this.#busy.add('main');
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** Whether that changed anything. A script that is over has nothing to do. */
  set(script: ScriptPlace, isBusy: boolean): boolean {
    if (this.#busy.has(script) === isBusy) return false;
    if (isBusy && !this.#isOpen(script)) return false;
    if (isBusy) this.#busy.add(script);
    else this.#busy.delete(script);
    return true;
  }

  /** A task starts to run a script. */
  begin(task: TaskId): void {
    this.#busy.add(task);
  }

  end(script: ScriptPlace): void {
    this.#busy.delete(script);
  }

  clear(): void {
    this.#busy.clear();
  }

  /** How a task ended, as soon as that is on disk. */
  async ended(id: TaskId): Promise<TaskState> {
    while (!hasEnded(this.#record.find(id))) {
      await new Promise<void>((resolve) => {
        const waiting = this.#awaited.get(id);
        if (waiting) waiting.push(resolve);
        else this.#awaited.set(id, [resolve]);
      });
    }
    if (this.#record.isDurable) await this.#record.settled();
    return this.#record.find(id);
  }

  /** The run's own script takes no more answers. */
  forgetMainCalls(): void {
    for (const id of this.#awaited.keys()) {
      if (!this.#record.find(id).task.parent) this.#awaited.delete(id);
    }
  }

  /** Makes scripts busy at once, so that a run does not pause between an answer and what follows it. */
  rouse(events: readonly RunEvent[]): void {
    for (const event of events) {
      // A decision may end tasks without naming them in an event of their own.
      if (event.type === 'decision-made') this.#rouseAll([...this.#awaited.keys()]);
      else if ('task' in event && typeof event.task === 'string') this.#rouseAll([event.task]);
    }
  }

  #rouseAll(ids: readonly TaskId[]): void {
    for (const id of ids) {
      const waiting = this.#awaited.get(id);
      if (!waiting) continue;
      const one = this.#record.find(id);
      if (!hasEnded(one)) continue;
      this.#awaited.delete(id);
      const script = one.task.parent ?? 'main';
      if (this.#isOpen(script)) this.#busy.add(script);
      for (const resolve of waiting) resolve();
    }
  }

  #isOpen(script: ScriptPlace): boolean {
    const { state } = this.#record;
    if (script === 'main') return state.script !== undefined && !state.script.end;
    return this.#record.find(script).status === 'running';
  }
}
