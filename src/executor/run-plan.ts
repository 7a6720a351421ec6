import {
  type JsonValue,
  type Plan,
  type Progress,
  type RunEvent,
  type RunId,
  type Task,
  type TaskId,
  type ToolCaller,
  unreachable,
} from '../core/index.js';
import { orderTasks, resolveArgs } from '../planner/index.js';
import { decideNext } from './decide-next.js';
import { EventChannel } from './event-channel.js';
import { applyEvent, initialRunState, type RunState } from './run-state.js';
import { runTask, type TaskEnd } from './run-task.js';

export interface RunPlanOptions {
  readonly run: RunId;
  /** Most tasks at the same time. */
  readonly concurrency: number;
  /** Without it only the server's own limits apply. */
  readonly taskTimeoutMs?: number;
  readonly signal: AbortSignal;
  /** Milliseconds, for durations only. */
  readonly now?: () => number;
}

/**
 * Runs a plan and yields every event as it happens. A task starts as soon as its inputs are there.
 *
 * A failed task skips those that need it, directly or not; everything else goes on, for it may
 * have side effects the caller wants to know of. Aborting, or leaving the `for await` early,
 * cancels what still runs. Throws only for a plan that can never end.
 */
export async function* runPlan(
  plan: Plan,
  tools: ToolCaller,
  options: RunPlanOptions,
): AsyncGenerator<RunEvent, void> {
  orderTasks(plan);
  const left = new AbortController();
  const live = new LiveRun(plan, tools, {
    ...options,
    signal: AbortSignal.any([options.signal, left.signal]),
  });
  try {
    live.start();
    yield* live.events;
  } finally {
    left.abort();
  }
}

/** Performs what `decideNext` decides. */
class LiveRun {
  readonly events = new EventChannel<RunEvent>();
  readonly #plan: Plan;
  readonly #tools: ToolCaller;
  readonly #options: RunPlanOptions;
  readonly #outputs = new Map<TaskId, JsonValue>();
  #state: RunState = initialRunState;

  constructor(plan: Plan, tools: ToolCaller, options: RunPlanOptions) {
    this.#plan = plan;
    this.#tools = tools;
    this.#options = options;
  }

  start(): void {
    const tasks = this.#plan.tasks.map(({ id }) => id);
    this.#emit({ type: 'run-started', run: this.#options.run, tasks });
    this.#advance();
  }

  #emit(event: RunEvent): void {
    this.#state = applyEvent(this.#state, event);
    this.events.push(event);
  }

  #advance(): void {
    while (this.#step()) {
      // Each step changes the state, and with it what comes next.
    }
  }

  /** Takes the next step; false when there is nothing to do but wait. */
  #step(): boolean {
    const { concurrency, signal } = this.#options;
    const next = decideNext(this.#plan, this.#state, { concurrency, cancelled: signal.aborted });
    switch (next.kind) {
      case 'skip':
        this.#emit({ type: 'task-skipped', task: next.task.id, because: next.because });
        return true;
      case 'start':
        void this.#perform(next.task); // Never rejects: `runTask` turns failures into values.
        return true;
      case 'finish':
        this.#emit({ type: 'run-finished', outcome: next.outcome });
        this.events.close();
        return false;
      case 'wait':
        return false;
      default:
        return unreachable(next);
    }
  }

  async #perform(task: Task): Promise<void> {
    const { now = () => performance.now(), taskTimeoutMs, signal } = this.#options;
    const startedAt = now();
    this.#emit({ type: 'task-started', task: task.id });
    const end = await runTask(task, () => resolveArgs(task, this.#outputs), this.#tools, {
      signal,
      timeoutMs: taskTimeoutMs,
      onProgress: (progress) => this.#report(task.id, progress),
    });
    this.#settle(task.id, end, Math.round(now() - startedAt));
    this.#advance();
  }

  /** A server may report progress after its answer; that would wake the dead. */
  #report(task: TaskId, progress: Progress): void {
    if (this.#state.tasks.get(task)?.status !== 'running') return;
    this.#emit({ type: 'task-progress', task, progress });
  }

  #settle(task: TaskId, end: TaskEnd, ms: number): void {
    if (end.status === 'succeeded') {
      this.#outputs.set(task, end.output);
      this.#emit({ type: 'task-succeeded', task, result: end.result, ms });
      return;
    }
    const { status: _status, ...failure } = end;
    this.#emit({ type: 'task-failed', task, ...failure, ms });
  }
}
