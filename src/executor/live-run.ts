import {
  type Decider,
  isCapability,
  type JsonObject,
  messageOf,
  PmlError,
  type RunCommand,
  type RunEvent,
  type RunState,
  type Task,
  type TaskId,
  type TaskState,
  type ToolId,
  unreachable,
} from '../core/index.js';
import { orderTasks } from '../plan/index.js';
import { admit, type Admission } from '../policy/index.js';
import { findTask } from './change-tasks.js';
import { checkCommand } from './check-command.js';
import { type Decision, decideNext } from './decide-next.js';
import { endEvents } from './end-events.js';
import { EventChannel } from './event-channel.js';
import { JournalWriter } from './journal-writer.js';
import { maskEvent } from './mask-event.js';
import { type PlanShape, planShapeOf } from './plan-shape.js';
import { RunClock } from './run-clock.js';
import type { RunOptions, RunPhase, RunPorts } from './run-options.js';
import { applyEvent, foldEvents } from './run-state.js';
import { runTask, type TaskEnd } from './run-task.js';
import { settleTask } from './settle-task.js';
import { TaskInputs } from './task-inputs.js';
import { WakeUp } from './wake-up.js';

type EndedScript = Omit<Extract<RunEvent, { type: 'script-ended' }>, 'type' | 'at' | 'task'>;

const MOST_RETRY_DELAY_MS = 10_000;
/** A call that was made so often and cut off again may be what ends the process. */
const MOST_CUT_OFF = 5;

/**
 * A run under way: performs what `decideNext` decides.
 *
 * Every event is in the journal before anything that follows from it leaves this process: a call
 * that may change something is on disk before it is sent, a result before it goes into another
 * call or an answer. Events of the same moment share one write.
 */
export class LiveRun {
  /** What every event of the run is dated by. */
  readonly clock: RunClock;
  readonly #ports: RunPorts;
  readonly #options: RunOptions;
  readonly #journal: JournalWriter;
  readonly #watchers = new Set<EventChannel<RunEvent>>();
  readonly #stop = new AbortController();
  readonly #inputs: TaskInputs;
  readonly #delayed = new Map<TaskId, NodeJS.Timeout>();
  readonly #calls = new Set<TaskId>();
  readonly #events: RunEvent[];
  #state: RunState;
  #shape: PlanShape;
  #isDurable: boolean;
  readonly #change = new WakeUp();
  #isPaused = false;
  /** Scripts, the run's own and those its tasks run, have something to do until they say they wait. */
  readonly #busyScripts = new Set<TaskId | 'main'>(['main']);
  readonly #scriptStop = new AbortController();
  readonly #taskEnds = new WakeUp();
  /** Calls whose answers scripts wait for: an answer gives its script something to do. */
  readonly #awaited = new Set<TaskId>();
  #isStopped = false;
  /** Why PML could neither go on with the run nor end it. */
  #failure: PmlError | undefined;
  /** Set when others may go on with the run: whatever still ends here is no longer ours to tell. */
  #isLeft = false;

  private constructor(events: readonly RunEvent[], ports: RunPorts, options: RunOptions) {
    this.#events = [...events];
    this.#state = foldEvents(events);
    if (!this.#state.script) this.#busyScripts.delete('main');
    this.#shape = planShapeOf(this.#state);
    this.#ports = ports;
    this.clock = new RunClock(options.now, events, options.monotonic);
    this.#options = { ...options, now: () => this.clock.now() };
    this.#inputs = new TaskInputs(options.checkArgs);
    this.#isDurable = options.isDurable;
    this.#journal = new JournalWriter(
      (added) => ports.log.append(this.#state.run, added),
      () => this.#endIfBroken(),
    );
  }

  /** A new run; nothing happens before `start`. Throws for a plan that can never end. */
  static begin(
    started: Extract<RunEvent, { type: 'run-started' }>,
    ports: RunPorts,
    options: RunOptions,
  ): LiveRun {
    orderTasks({ tasks: started.tasks });
    const run = new LiveRun([started], ports, options);
    run.#journal.write([started]);
    return run;
  }

  /**
   * A run that another process began. What was under way is tried again where that is harmless;
   * else somebody must say whether it happened.
   */
  static resume(events: readonly RunEvent[], ports: RunPorts, options: RunOptions): LiveRun {
    const run = new LiveRun(events, ports, options);
    const at = run.clock.now();
    const because = 'its call was under way when the process ended';
    const cutOff = run.#state.tasks.flatMap((one): RunEvent[] => {
      if (one.status !== 'running') return [];
      const mayRepeat = one.repeatable && one.attempts < MOST_CUT_OFF;
      const type = mayRepeat ? 'task-retried' : 'task-doubted';
      return [{ type, task: one.task.id, at, because }];
    });
    if (cutOff.length > 0) {
      run.#emit({ type: 'message-added', at, text: 'taken up after the process ended' }, ...cutOff);
    }
    return run;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Everything written down since the start or the last checkpoint. */
  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get phase(): RunPhase {
    // An end that is not in the journal is none: the run would be taken up again.
    if (this.broken) return 'broken';
    if (this.#state.finished) return 'finished';
    if (this.#isStopped) return 'stopped';
    return this.#isPaused ? 'paused' : 'running';
  }

  /** Why the journal could not be written; nothing is started after that. */
  get broken(): PmlError | undefined {
    return this.#failure ?? (this.#isDurable ? this.#journal.failure : undefined);
  }

  start(): void {
    if (this.#state.aborted) this.#abort();
    this.#advance();
  }

  /**
   * Ends the run because PML itself failed while it worked on it. The end is an event like any other:
   * nobody waits for ever, and the next process does not run into the same again.
   */
  fail(reason: unknown): void {
    if (this.#state.finished || this.#isLeft || this.#failure) return;
    const message = `PML failed while it worked on this run: ${messageOf(reason)}`;
    this.#calls.clear();
    this.#busyScripts.clear();
    try {
      this.#clearDelays();
      this.#emit(...endEvents(this.#state, { code: 'RUN_FAILED', message }, this.#options.now()));
    } catch {
      this.#failure = new PmlError('RUN_FAILED', message, { cause: reason });
    }
    this.#abort();
    this.#closeWatchers();
    this.#change.ring();
  }

  /** Resolves when nothing happens by itself any more, and that is on disk. */
  async idle(): Promise<void> {
    while (!this.#isIdle) {
      await this.#change.next();
    }
    if (this.#isDurable) await this.written();
  }

  /** Resolves when all that happened is on disk, or will never be. */
  async written(): Promise<void> {
    await this.#journal.written.catch(() => {}); // `broken` has the reason.
  }

  /** Resolves with the next change of phase, or a little before it. */
  changed(): Promise<void> {
    return this.#change.next();
  }

  /** What happens from now on, until the run ends or the consumer leaves. */
  async *watch(): AsyncGenerator<RunEvent, void> {
    const channel = new EventChannel<RunEvent>();
    if (this.phase !== 'running' && this.phase !== 'paused') return;
    this.#watchers.add(channel);
    try {
      yield* channel;
    } finally {
      this.#watchers.delete(channel);
    }
  }

  /** Aborted when the script of this run must not go on: it is over, was given up, or cannot be recorded. */
  get scriptSignal(): AbortSignal {
    return this.#scriptStop.signal;
  }

  /** Makes a call of the script a task of this run. */
  call(task: Task): void {
    this.#emit({ type: 'task-called', task, at: this.#options.now() });
    this.#shape = planShapeOf(this.#state);
    this.#advance();
  }

  /** How a task ended, as soon as that is on disk. */
  async ended(id: TaskId): Promise<TaskState> {
    while (!isOver(this.#find(id))) {
      this.#awaited.add(id);
      await this.#taskEnds.next();
    }
    if (this.#isDurable) await this.written();
    return this.#find(id);
  }

  /** Whether the script has anything to do before one of its calls is answered. */
  setScriptBusy(isBusy: boolean, script: TaskId | 'main' = 'main'): void {
    if (this.#busyScripts.has(script) === isBusy) return;
    if (isBusy && !this.#isScriptOpen(script)) return;
    if (isBusy) this.#busyScripts.add(script);
    else this.#busyScripts.delete(script);
    this.#advance();
  }

  /** An answer that comes when its script is over gives nobody anything to do. */
  #isScriptOpen(script: TaskId | 'main'): boolean {
    if (script === 'main') return this.#state.script !== undefined && !this.#state.script.end;
    return this.#find(script).status === 'running';
  }

  /** The code that a task runs came to its end; the task itself ends with its result. */
  endNested(task: TaskId, ended: EndedScript): void {
    if (this.#state.finished || this.#isLeft || this.#find(task).status !== 'running') return;
    this.#emit({ type: 'script-ended', task, at: this.#options.now(), ...ended });
  }

  endScript(ended: EndedScript): void {
    if (this.#state.finished || this.#state.script?.end || this.#isLeft) return;
    for (const id of this.#awaited) if (!this.#find(id).task.parent) this.#awaited.delete(id);
    this.#emit({ type: 'script-ended', at: this.#options.now(), ...ended });
    this.#busyScripts.delete('main');
    // Nobody is left to take the answers of what a stopped script has under way.
    const { end } = ended;
    if (end.status === 'failed' && end.error.code === 'CODE_STOPPED') this.#stop.abort();
    this.#advance();
  }

  /** Applies a decision between two tasks; rejects when it does not fit. Resolves when on disk. */
  async decide(command: RunCommand, by: Decider, context?: JsonObject): Promise<void> {
    if (this.broken) throw this.broken;
    if (this.#isStopped) throw new PmlError('DAEMON_UNREACHABLE', 'The daemon is stopping');
    checkCommand(this.#state, command);
    this.#requireJournal();
    const at = this.#options.now();
    this.#emit({ type: 'decision-made', at, by, command, ...(context && { context }) });
    this.#shape = planShapeOf(this.#state);
    if (command.kind === 'abort') this.#abort();
    this.#advance();
    this.#change.ring();
    await this.#journal.written;
  }

  /** Starts nothing more and waits for the calls under way, at most so long. The run stays open. */
  async close(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#clearDelays();
    const ended = (async () => {
      while (this.#calls.size > 0) {
        await this.#change.next();
      }
    })();
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([ended, grace]).finally(() => clearTimeout(timer));
    await this.#journal.written.catch(() => {}); // `broken` has the reason.
    this.#leave();
  }

  /** A call that is still under way stays so in the journal: nobody here learns how it ended. */
  #leave(): void {
    this.#isLeft = true;
    this.#scriptStop.abort();
    this.#calls.clear();
    this.#stop.abort();
    this.#closeWatchers();
    this.#change.ring();
  }

  get #isIdle(): boolean {
    if (this.#state.finished) return true;
    return (
      this.#calls.size === 0 && (this.#isPaused || this.#isStopped || this.broken !== undefined)
    );
  }

  #emit(...happened: readonly RunEvent[]): void {
    const { mask } = this.#options;
    const events = mask ? happened.map((event) => maskEvent(event, mask)) : happened;
    for (const event of events) {
      this.#state = applyEvent(this.#state, event);
      for (const watcher of this.#watchers) watcher.push(event);
    }
    this.#rouseScripts();
    this.#taskEnds.ring();
    const lasting = events.filter(({ type }) => type !== 'task-progress');
    if (lasting.length === 0) return;
    this.#events.push(...lasting);
    this.#journal.write(lasting);
  }

  /** At once, so that a run does not look as if it rested between an answer and what follows it. */
  #rouseScripts(): void {
    for (const id of this.#awaited) {
      const one = this.#find(id);
      if (!isOver(one)) continue;
      this.#awaited.delete(id);
      const script = one.task.parent ?? 'main';
      if (this.#isScriptOpen(script)) this.#busyScripts.add(script);
    }
  }

  /** With its first decision a run is more than a lone call that may be forgotten. */
  #requireJournal(): void {
    this.#isDurable = true;
    this.#endIfBroken();
    if (this.broken) throw this.broken;
  }

  #abort(): void {
    this.#scriptStop.abort();
    this.#stop.abort();
  }

  #endIfBroken(): void {
    if (!this.broken) return;
    this.#scriptStop.abort();
    this.#clearDelays();
    this.#closeWatchers();
    this.#change.ring();
  }

  #closeWatchers(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #clearDelays(): void {
    for (const timer of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
  }

  #advance(): void {
    this.#isPaused = false;
    try {
      while (this.#step()) {
        // Each step changes the state, and with it what comes next.
      }
    } catch (error) {
      this.fail(error);
    }
    if (this.#isIdle || this.#isStopped) this.#change.ring();
  }

  /** Takes the next step; false when there is nothing to do but wait. */
  #step(): boolean {
    if (this.broken || this.#isStopped || this.#state.finished) return false;
    const { concurrency, serverConcurrency, now } = this.#options;
    const next: Decision = decideNext(this.#state, {
      concurrency,
      serverConcurrency,
      // What a capability calls is asked about call by call, with what it is called with.
      asks: (tool) => (isCapability(tool) ? undefined : this.#admit(tool).ask),
      delayed: this.#delayed,
      shape: this.#shape,
      isScriptBusy: this.#busyScripts.size > 0,
    });
    switch (next.kind) {
      case 'skip': {
        const { task, because, need } = next;
        const at = now();
        this.#emit({ type: 'task-skipped', task, at, because, ...(need && { need }) });
        return true;
      }
      case 'hold':
        this.#emit({ type: 'task-held', task: next.task, at: now(), because: next.because });
        return true;
      case 'start':
        this.#begin(next.task);
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

  #finish(outcome: 'succeeded' | 'failed' | 'cancelled'): void {
    this.#clearDelays();
    const ms = this.clock.elapsedMs();
    this.#emit({ type: 'run-finished', at: this.#options.now(), ms, outcome });
    this.#closeWatchers();
  }

  #begin(id: TaskId): void {
    const { task } = this.#find(id);
    const args = this.#inputs.prepare(task, this.#state);
    if ('error' in args) {
      const at = this.#options.now();
      this.#emit({ type: 'task-failed', task: id, at, ms: 0, error: args.error });
      return;
    }
    const { denied, repeatable, isReading } = this.#admit(task.tool);
    if (denied !== undefined) {
      const error = { code: 'TOOL_DENIED', message: denied } as const;
      this.#emit({ type: 'task-failed', task: id, at: this.#options.now(), ms: 0, error });
      return;
    }
    if (!isReading || !repeatable) {
      // Whatever the run looked like when it began: what may change something is recorded first.
      this.#isDurable = true;
      this.#endIfBroken();
      if (this.broken) return;
    }
    const isCode = isCapability(task.tool);
    this.#emit({
      type: 'task-started',
      task: id,
      at: this.#options.now(),
      // Code is executed again and gets its recorded answers; its calls are judged one by one.
      repeatable: isCode || repeatable,
    });
    if (isCode) this.#busyScripts.add(id);
    else this.#calls.add(id);
    // A call that only reads, and takes nothing from others, needs nothing to be on disk.
    const isLoneRead = isReading && repeatable && task.needs.length === 0;
    const mayGo = !this.#isDurable || isLoneRead;
    // Failures of the call become events; any other is one of ours.
    const before = mayGo ? undefined : this.#journal.written;
    void this.#perform(task, args.args, { repeatable, before }).catch((error: unknown) =>
      this.fail(error),
    );
  }

  #admit(tool: ToolId): Admission {
    const { approve, isReadOnly = false } = this.#state;
    return admit(tool, this.#options.policyOf(tool), { approve, isReadOnly });
  }

  async #perform(
    task: Task,
    args: JsonObject,
    { repeatable, before }: { repeatable: boolean; before: Promise<void> | undefined },
  ): Promise<void> {
    try {
      await before;
    } catch {
      // The journal is broken and has told so; the call was never made, and must not look as if.
      this.#forgetStart(task.id, 'the journal could not be written, so it was not called');
      return;
    }
    if (this.#isLeft) return;
    if (this.#isStopped) {
      this.#forgetStart(task.id, 'the process was ending, so it was not called');
      return;
    }
    const elapsedMs = this.clock.stopwatch();
    // The limit is for one answer; code has its own, in which no decision it waits for counts.
    const limitMs = isCapability(task.tool) ? undefined : this.#options.taskTimeoutMs;
    const timeoutMs = task.timeoutMs ?? limitMs;
    const { tools } = this.#ports;
    let isOver = false;
    const end = await runTask(task.tool, (options) => tools.call(task.tool, args, options), {
      task: task.id,
      signal: this.#stop.signal,
      timeoutMs,
      repeatable,
      // A server may report progress after its answer; that would wake the dead.
      onProgress: (progress) => {
        if (!isOver) this.#emit({ type: 'task-progress', task: task.id, progress });
      },
    });
    isOver = true;
    if (this.#isLeft || this.#state.finished || this.#failure) return;
    this.#calls.delete(task.id);
    this.#busyScripts.delete(task.id);
    this.#settle(task, end, { repeatable, ms: elapsedMs() });
    this.#advance();
  }

  #forgetStart(id: TaskId, because: string): void {
    this.#calls.delete(id);
    this.#busyScripts.delete(id);
    this.#emit({ type: 'task-retried', task: id, at: this.#options.now(), because });
    this.#change.ring();
  }

  #settle(task: Task, end: TaskEnd, { repeatable, ms }: { repeatable: boolean; ms: number }): void {
    const { attempts } = this.#find(task.id);
    const { now, retries, isTransient, checkResult } = this.#options;
    const { events, isRetried } = settleTask(task, end, {
      at: now(),
      ms,
      attempts,
      mayRepeat: repeatable && !this.#stop.signal.aborted,
      retries,
      isTransient,
      checkResult,
    });
    this.#emit(...events);
    if (isRetried) this.#delay(task.id, attempts);
  }

  #delay(id: TaskId, attempts: number): void {
    const { retryDelayMs } = this.#options;
    const ms = Math.min(retryDelayMs * 2 ** (attempts - 1), MOST_RETRY_DELAY_MS);
    const timer = setTimeout(() => {
      this.#delayed.delete(id);
      this.#advance();
    }, ms);
    this.#delayed.set(id, timer);
  }

  #find(id: TaskId) {
    const found = findTask(this.#state, id);
    if (!found) throw new Error(`Task ${id} is not in run ${this.#state.run}`);
    return found;
  }
}

function isOver({ status }: TaskState): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'skipped';
}
