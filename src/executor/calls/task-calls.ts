import {
  type CallOptions,
  isCapability,
  type JsonObject,
  type RemoteTask,
  type Task,
  type TaskError,
  type TaskId,
  type ToolCaller,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import { admit, type Admission } from '../../policy/index.js';
import type { RunClock } from '../run-clock.js';
import type { RunLife } from '../run-life.js';
import type { RunOptions } from '../run-options.js';
import type { RunRecord } from '../run-record.js';
import type { ScriptActivity } from '../script-activity.js';
import type { RetryDelays } from './retry-delays.js';
import { runTask, type TaskEnd } from './run-task.js';
import { settleTask } from './settle-task.js';
import { TaskInputs } from './task-inputs.js';

export interface TaskCallsParts {
  readonly record: RunRecord;
  readonly life: RunLife;
  readonly scripts: ScriptActivity;
  readonly delays: RetryDelays;
  readonly clock: RunClock;
  readonly tools: ToolCaller;
  /** Lets the run decide what comes next. */
  readonly advance: () => void;
  readonly fail: (reason: unknown) => void;
}

/** A call that is under way already. */
export interface AdoptedCall {
  readonly task: TaskId;
  /** Gives what the call gives, and lets go of it when the signal says so. */
  readonly make: (options: CallOptions) => Promise<ToolResult>;
  /** Milliseconds since it left. */
  readonly elapsedMs: () => number;
}

/**
 * Makes the calls of a run. A call that may change something is on disk before it is sent, and a
 * result before it goes into another call.
 */
export class TaskCalls {
  readonly #options: RunOptions;
  readonly #parts: TaskCallsParts;
  readonly #inputs: TaskInputs;
  readonly #underWay = new Set<TaskId>();

  constructor(options: RunOptions, parts: TaskCallsParts) {
    this.#options = options;
    this.#parts = parts;
    this.#inputs = new TaskInputs(options.checkArgs);
  }

  /** Calls under way. A task that runs code is none: its own calls are. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Forgets the calls under way. */
  clear(): void {
    this.#underWay.clear();
  }

  admit(tool: ToolId): Admission {
    const { approve, isReadOnly = false } = this.#parts.record.state;
    return admit(tool, this.#options.policyOf(tool), { approve, isReadOnly });
  }

  begin(id: TaskId): void {
    const { record, life, scripts, clock, fail } = this.#parts;
    const { task } = record.find(id);
    const args = this.#inputs.prepare(task, record.state);
    if ('error' in args) return this.#refuse(id, args.error);
    const { denied, repeatable, isReading } = this.admit(task.tool);
    if (denied !== undefined) return this.#refuse(id, { code: 'TOOL_DENIED', message: denied });
    // Whatever the run looked like when it began: what may change something is recorded first.
    if ((!isReading || !repeatable) && life.requireJournal()) return;
    const isCode = isCapability(task.tool);
    record.emit({
      type: 'task-started',
      task: id,
      at: clock.now(),
      // Code is executed again and gets its recorded answers; its calls are judged one by one.
      repeatable: isCode || repeatable,
    });
    if (isCode) scripts.begin(id);
    else this.#underWay.add(id);
    // A call that only reads, and takes nothing from others, needs nothing to be on disk.
    const isLoneRead = isReading && repeatable && task.needs.length === 0;
    const mayGo = !record.isDurable || isLoneRead;
    const before = mayGo ? undefined : record.written;
    // Failures of the call become events; any other is one of ours.
    void this.#perform(task, args.args, { repeatable, before }).catch(fail);
  }

  /** Continues a call that left before the run had to look after it. */
  adopt({ task: id, make, elapsedMs }: AdoptedCall): void {
    const { record, fail } = this.#parts;
    const { task } = record.find(id);
    const { repeatable } = this.admit(task.tool);
    this.#underWay.add(id);
    void this.#make(task, make, { repeatable, elapsedMs }).catch(fail);
  }

  #refuse(task: TaskId, error: TaskError): void {
    const { record, clock } = this.#parts;
    record.emit({ type: 'task-failed', task, at: clock.now(), ms: 0, error });
  }

  async #perform(
    task: Task,
    args: JsonObject,
    { repeatable, before }: { repeatable: boolean; before: Promise<void> | undefined },
  ): Promise<void> {
    const { life, clock, tools } = this.#parts;
    try {
      await before;
    } catch {
      // The journal is broken and has reported it. The call was never made, so its start is undone.
      this.#forgetStart(task.id, 'the journal could not be written, so it was not called');
      return;
    }
    if (life.isLeft) return;
    if (life.isStopped) {
      this.#forgetStart(task.id, 'the process was ending, so it was not called');
      return;
    }
    const { remote } = this.#parts.record.find(task.id) as { readonly remote?: RemoteTask };
    const make = (options: CallOptions) =>
      tools.call(task.tool, args, { ...options, ...(remote && { remote }) });
    await this.#make(task, make, { repeatable, elapsedMs: clock.stopwatch() });
  }

  async #make(
    task: Task,
    make: AdoptedCall['make'],
    { repeatable, elapsedMs }: { repeatable: boolean; elapsedMs: () => number },
  ): Promise<void> {
    const { record, life } = this.#parts;
    // The limit is for one answer; code has its own, in which no decision it waits for counts.
    const limitMs = isCapability(task.tool) ? undefined : this.#options.taskTimeoutMs;
    const timeoutMs = task.timeoutMs ?? limitMs;
    let isOver = false;
    const end = await runTask(task.tool, make, {
      task: task.id,
      signal: life.callSignal,
      timeoutMs,
      repeatable,
      // A server may report progress after its answer, when the task is no longer running.
      onProgress: (progress) => {
        if (!isOver) record.emit({ type: 'task-progress', task: task.id, progress });
      },
      onRemote: (remote) => {
        if (!isOver && !life.isLeft) this.#defer(task.id, remote);
      },
    });
    isOver = true;
    if (life.isLeft || record.state.finished || life.failure) return;
    this.#forget(task.id);
    this.#settle(task, end, { repeatable, ms: elapsedMs() });
    this.#parts.advance();
  }

  /** From here on the next process can wait for the result, if the journal has the handle. */
  #defer(task: TaskId, remote: RemoteTask): void {
    const { record, life, clock } = this.#parts;
    life.requireJournal();
    record.emit({ type: 'task-deferred', task, at: clock.now(), remote });
  }

  #forgetStart(task: TaskId, because: string): void {
    const { record, life, clock } = this.#parts;
    this.#forget(task);
    record.emit({ type: 'task-retried', task, at: clock.now(), because });
    life.change.ring();
  }

  #forget(task: TaskId): void {
    this.#underWay.delete(task);
    this.#parts.scripts.end(task);
  }

  #settle(task: Task, end: TaskEnd, { repeatable, ms }: { repeatable: boolean; ms: number }): void {
    const { record, life, delays, clock } = this.#parts;
    const { attempts } = record.find(task.id);
    const { retries, isTransient, checkResult } = this.#options;
    const { events, isRetried } = settleTask(task, end, {
      at: clock.now(),
      ms,
      attempts,
      mayRepeat: repeatable && !life.callSignal.aborted,
      retries,
      isTransient,
      checkResult,
    });
    record.emit(...events);
    // A run that waits for a person is more than a single call that may be forgotten.
    if (events.some(({ type }) => type === 'task-held')) life.requireJournal();
    if (isRetried) delays.add(task.id, attempts);
  }
}
