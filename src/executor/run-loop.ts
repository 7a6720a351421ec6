import { isCapability, type RunOutcome, type Task, unreachable } from '../core/index.js';
import { isToolApproved } from './calls/approved-tools.js';
import type { RetryDelays } from './calls/retry-delays.js';
import type { TaskCalls } from './calls/task-calls.js';
import { type Decision, decideNext } from './decide-next.js';
import type { RunClock } from './run-clock.js';
import type { RunLife } from './run-life.js';
import type { RunOptions } from './run-options.js';
import type { RunRecord } from './run-record.js';
import type { ScriptActivity } from './script-activity.js';

type LoopOptions = Pick<RunOptions, 'concurrency' | 'serverConcurrency' | 'asksAboutGuesses'>;

export interface LoopParts {
  readonly record: RunRecord;
  readonly life: RunLife;
  readonly scripts: ScriptActivity;
  readonly delays: RetryDelays;
  readonly calls: TaskCalls;
  readonly clock: RunClock;
  readonly fail: (reason: unknown) => void;
}

/** Performs what `decideNext` decides, step by step, until the run has to wait. */
export class RunLoop {
  readonly #options: LoopOptions;
  readonly #parts: LoopParts;
  #isPaused = false;

  constructor(options: LoopOptions, parts: LoopParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Nothing can go on before the user or the agent decides. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Nothing happens by itself any more. */
  get isIdle(): boolean {
    const { record, life, calls } = this.#parts;
    if (record.state.finished) return true;
    const isHalted = this.#isPaused || life.isStopped || life.broken !== undefined;
    return calls.size === 0 && isHalted;
  }

  advance(): void {
    const { life, fail } = this.#parts;
    this.#isPaused = false;
    try {
      while (this.#step()) {
        // Each step changes the state, and with it what comes next.
      }
    } catch (error) {
      fail(error);
    }
    if (this.isIdle || life.isStopped) life.change.ring();
  }

  /** Takes the next step; false if the run has to wait. */
  #step(): boolean {
    const { record, life, calls, clock } = this.#parts;
    if (life.broken || life.isStopped || record.state.finished) return false;
    const next = this.#decide();
    switch (next.kind) {
      case 'skip': {
        const { task, because, need } = next;
        const at = clock.now();
        record.emit({ type: 'task-skipped', task, at, because, ...(need && { need }) });
        return true;
      }
      case 'hold': {
        const { task, because } = next;
        record.emit({ type: 'task-held', task, at: clock.now(), because });
        return true;
      }
      case 'park':
        record.table.park(record.find(next.task));
        return true;
      case 'start':
        calls.begin(next.task);
        return true;
      case 'finish':
        this.#finish(next.outcome);
        return false;
      case 'pause':
        this.#isPaused = true;
        return false;
      case 'wait':
        return false;
      default:
        return unreachable(next);
    }
  }

  #decide(): Decision {
    const { record, scripts, delays } = this.#parts;
    const { concurrency, serverConcurrency } = this.#options;
    return decideNext(record.state, {
      concurrency,
      serverConcurrency,
      asks: (task) => this.#asks(task),
      delayed: delays,
      table: record.table,
      isScriptBusy: scripts.isBusy,
    });
  }

  /** A task that is held for two reasons asks once. */
  #asks(task: Task): { readonly why: string } | undefined {
    const { record, calls } = this.#parts;
    // PML asks about each call that a capability makes, with the arguments of that call.
    const wanted = isCapability(task.tool) ? undefined : calls.admit(task.tool).ask;
    const ask = wanted && isToolApproved(record.state, task.tool, wanted) ? undefined : wanted;
    const guess = task.guessed && this.#options.asksAboutGuesses?.(task, record.state);
    if (guess === undefined) return ask;
    return { why: ask ? `${ask.why}; ${guess}` : guess };
  }

  #finish(outcome: RunOutcome): void {
    const { record, delays, clock } = this.#parts;
    delays.clear();
    const ms = clock.elapsedMs();
    record.emit({ type: 'run-finished', at: clock.now(), ms, outcome });
    record.closeWatchers();
  }
}
