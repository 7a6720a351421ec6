import type {
  CallOptions,
  RemoteTask,
  RunEvent,
  RunId,
  Task,
  ToolCaller,
  ToolResult,
} from '../core/index.js';
import type { AdoptedRun } from '../executor/index.js';
import { resolveArgs } from '../plan/index.js';

type RunStarted = Extract<RunEvent, { type: 'run-started' }>;

/** One call under way, with all that a run needs to go on with it. */
export class LoneCall {
  readonly run: RunId;
  readonly task: Task;
  /** The events of a run that has made this call. */
  readonly begun: readonly [RunStarted, RunEvent];
  readonly #stop = new AbortController();
  readonly #leftAt = performance.now();
  #result: Promise<ToolResult> | undefined;
  #hasLeft = false;
  #remote: RemoteTask | undefined;
  /** What the run that took the call over wants to hear. */
  #run: CallOptions | undefined;

  constructor(started: RunStarted, task: Task, { repeatable }: { readonly repeatable: boolean }) {
    this.run = started.run;
    this.task = task;
    this.begun = [started, { type: 'task-started', task: task.id, at: started.at, repeatable }];
  }

  /** Makes the call. A task of the server lasts: then the call must become a run. */
  make(caller: ToolCaller, onRemote: () => void): Promise<ToolResult> {
    const { id, tool } = this.task;
    this.#result = caller.call(tool, resolveArgs(this.task, new Map()), {
      signal: this.#stop.signal,
      task: id,
      onSent: () => {
        this.#hasLeft = true;
        this.#run?.onSent?.();
      },
      onProgress: (progress) => this.#run?.onProgress?.(progress),
      onRemote: (remote) => {
        this.#remote = remote;
        if (this.#run) this.#run.onRemote?.(remote);
        else onRemote();
      },
    });
    return this.#result;
  }

  elapsedMs(): number {
    return Math.max(0, Math.round(performance.now() - this.#leftAt));
  }

  /** For a run that takes the call over. */
  handedOver(isRecorded: boolean): AdoptedRun {
    const make = (options: CallOptions): Promise<ToolResult> => {
      this.#run = options;
      if (this.#hasLeft) options.onSent?.();
      if (this.#remote) options.onRemote?.(this.#remote);
      return this.#stoppedBy(options.signal);
    };
    const call = { task: this.task.id, make, elapsedMs: () => this.elapsedMs() };
    return { events: this.begun, call, isRecorded };
  }

  /** The result. Node keeps a combined signal for good while something listens to it. */
  async #stoppedBy(signal: AbortSignal): Promise<ToolResult> {
    const onAbort = () => this.#stop.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await (this.#result ?? Promise.reject(new Error(`${this.task.tool} was not called`)));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** All events of a run that made this call and succeeded. */
  succeeded(result: ToolResult, at: number): readonly RunEvent[] {
    const ms = this.elapsedMs();
    return [
      { type: 'task-completed', task: this.task.id, at, ms, result },
      { type: 'run-finished', at, ms, outcome: 'completed' },
    ];
  }
}
