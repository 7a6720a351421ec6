import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import type { TaskId } from '../core/index.js';
import { hasEnded, type LiveRun, WakeUp } from '../executor/index.js';
import type { Replay } from './replay.js';

export interface WaitsOptions {
  /** The task that runs the script; undefined for the script of the run itself. */
  readonly parent: TaskId | undefined;
  readonly startedAt: number;
  /** The script did not make a recorded call. */
  readonly diverged: (call: TaskId) => void;
}

/**
 * What a script waits for: results, a timer, or PML's check of a call. Its clock moves only with
 * results and timers, so that a replay shows the same times.
 */
export class ScriptWaits {
  readonly #live: LiveRun;
  readonly #replay: Replay;
  readonly #options: WaitsOptions;
  /** Calls that are tasks and whose results the script does not have yet. */
  readonly #awaited = new Set<TaskId>();
  /** The script says it waits; a call that PML still checks may be refused and wake it. */
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

  /** When the timer that the script waits for is due. */
  get due(): number | undefined {
    return this.#due;
  }

  /** Waits for PML to check a call before it becomes a task. */
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

  /** The script now gets the result of a task. */
  answered(task: TaskId): void {
    this.#awaited.delete(task);
  }

  /** The script continues at this time: it got a result, or a timer went off. */
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
    // While recorded results remain, one of them is being delivered.
    const isOpen = this.#replay.isOver && (!hasTimer || this.#awaited.size > 0);
    if (isOpen) this.#live.setScriptBusy(false, this.#options.parent);
  }

  /** A call changed what the script waits for. */
  reconsider(): void {
    if (this.#isWaiting) this.waiting();
  }

  /**
   * Lets time pass for an idle script. PML does not record when a timer goes off: that follows from
   * the times of the results, as long as no earlier result arrives after it.
   */
  async waitUntil(due: number, signal: AbortSignal): Promise<void> {
    this.#due = due;
    this.waiting();
    for (;;) {
      // A refusal takes no script time, so its place does not depend on how long it took.
      while (this.#looks > 0) await this.#lookEnds.next();
      // A result that is being delivered counts as delivered.
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

  /** What must happen before a timer goes off: nothing, a result, or a number of milliseconds. */
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
    // Until then, a new result waits for the recorded calls, and they may wait for this timer.
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
