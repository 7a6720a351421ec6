import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import type { TaskId } from '../core/index.js';
import { hasEnded, type LiveRun, WakeUp } from '../executor/index.js';
import type { Replay } from './replay.js';

export interface WaitsOptions {
  /** The task that runs the script; none for the script of the run itself. */
  readonly parent: TaskId | undefined;
  readonly startedAt: number;
  /** The script does not make a call that it made before. */
  readonly diverged: (call: TaskId) => void;
}

/**
 * What a script waits for: answers, a timer, or PML's look at a call it makes. Its clock moves only
 * with answers and timers, so that it shows the same when the script is executed again.
 */
export class ScriptWaits {
  readonly #live: LiveRun;
  readonly #replay: Replay;
  readonly #options: WaitsOptions;
  /** Calls that are tasks, and whose answers the script does not have yet. */
  readonly #awaited = new Set<TaskId>();
  /** The script says it waits; a call that PML still looks at may be refused and wake it. */
  #isWaiting = false;
  #looks = 0;
  readonly #lookEnds = new WakeUp();
  #now: number;
  #due: number | undefined;

  constructor(live: LiveRun, replay: Replay, options: WaitsOptions) {
    this.#live = live;
    this.#replay = replay;
    this.#options = options;
    this.#now = options.startedAt;
  }

  /** What the clock of the script shows. */
  get now(): number {
    return this.#now;
  }

  /** When the timer goes off that the script waits for. */
  get due(): number | undefined {
    return this.#due;
  }

  /** Waits for PML to look at a call before it becomes a task. */
  async look<T>(look: () => Promise<T> | T): Promise<T> {
    this.#looks++;
    try {
      return await look();
    } finally {
      this.#looks--;
      this.#lookEnds.ring();
    }
  }

  expectAnswer(task: TaskId): void {
    this.#awaited.add(task);
  }

  /** The script gets the answer of a task now. */
  answered(task: TaskId): void {
    this.#awaited.delete(task);
  }

  /** The script goes on at this time: it got an answer, or a timer went off. */
  goOn(at: number): void {
    this.#live.setScriptBusy(true, this.#options.parent);
    this.wake();
    this.#now = Math.max(this.#now, at);
  }

  /** A refusal is not recorded, so it does not move the clock: a replay would move it elsewhere. */
  wake(): void {
    this.#isWaiting = false;
    this.#due = undefined;
  }

  /** The script has nothing to do. */
  waiting(): void {
    this.#isWaiting = true;
    if (this.#looks > 0) return;
    const { missing } = this.#replay;
    const hasTimer = this.#due !== undefined;
    if (missing !== undefined && !hasTimer) return this.#options.diverged(missing);
    // While there are old answers to give, one of them is on its way.
    const isOpen = this.#replay.isOver && (!hasTimer || this.#awaited.size > 0);
    if (isOpen) this.#live.setScriptBusy(false, this.#options.parent);
  }

  /** A call of the script changed what it waits for. */
  reconsider(): void {
    if (this.#isWaiting) this.waiting();
  }

  /**
   * Lets time pass for a script that has nothing else to do. When a timer goes off is not recorded: it
   * follows from the times of the answers, as long as none that is earlier comes after it.
   */
  async waitUntil(due: number, signal: AbortSignal): Promise<void> {
    this.#due = due;
    this.waiting();
    for (;;) {
      // A refusal takes no time, so that it has its place however long it took.
      while (this.#looks > 0) await this.#lookEnds.next();
      // An answer that is half given is given.
      await nextTurn();
      if (signal.aborted) return;
      if (this.#looks > 0) continue;
      const step = this.#timeTo(due);
      if (step === 'diverged') return;
      if (step === 'answer') return untilAborted(signal);
      if (step === 'now') break;
      await delay(step, undefined, { signal }).catch(() => {}); // The script went on.
      if (!signal.aborted) this.#live.clock.reach(due);
    }
    this.goOn(due);
  }

  /** What has to come before a timer goes off: nothing, an answer, or so many milliseconds. */
  #timeTo(due: number): 'now' | 'answer' | 'diverged' | number {
    const { missing, isOver } = this.#replay;
    const { tasks } = this.#live.state;
    if (!isOver && missing === undefined) return 'answer';
    const past =
      missing && this.#replay.hadAnswer(missing) && tasks.find(({ task }) => task.id === missing);
    if (past && 'at' in past) {
      if (due <= past.at) return 'now';
      this.#options.diverged(past.task.id);
      return 'diverged';
    }
    // Before that, an answer that is new waits for the calls of then, and they may wait for this.
    if (isOver && tasks.some((one) => this.#awaited.has(one.task.id) && hasEnded(one)))
      return 'answer';
    const ms = due - this.#live.clock.now();
    return ms > 0 ? ms : 'now';
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
