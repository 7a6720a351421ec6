import {
  type Decider,
  type JsonObject,
  messageOf,
  PmlError,
  type RunCommand,
  type RunEvent,
  type RunState,
  type ServerName,
  type Task,
  type TaskId,
  type TaskState,
} from '../core/index.js';
import { orderTasks } from '../plan/index.js';
import { RetryDelays } from './calls/retry-delays.js';
import { type AdoptedCall, TaskCalls } from './calls/task-calls.js';
import { checkCommand } from './check-command.js';
import { cutOffEvents } from './cut-off-events.js';
import { endEvents } from './end-events.js';
import { RunClock } from './run-clock.js';
import { RunLife } from './run-life.js';
import { RunLoop } from './run-loop.js';
import type { RunOptions, RunPhase, RunPorts } from './run-options.js';
import { RunRecord } from './run-record.js';
import { ScriptActivity, type ScriptPlace } from './script-activity.js';

type EndedScript = Omit<Extract<RunEvent, { type: 'script-ended' }>, 'type' | 'at' | 'task'>;

/** What may come with a decision. */
export interface DecisionParts {
  /** Merged into the context of the run. */
  readonly context?: JsonObject;
  /** What the user or agent who decides says about it. */
  readonly message?: string;
}

/** What began outside of a run and has to become one. */
export interface AdoptedRun {
  readonly events: readonly RunEvent[];
  readonly call: AdoptedCall;
  readonly isRecorded: boolean;
}

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
  readonly #record: RunRecord;
  readonly #delays: RetryDelays;
  readonly #life: RunLife;
  readonly #scripts: ScriptActivity;
  readonly #calls: TaskCalls;
  readonly #loop: RunLoop;

  private constructor(events: readonly RunEvent[], ports: RunPorts, options: RunOptions) {
    this.#record = new RunRecord(events, {
      log: ports.log,
      isDurable: options.isDurable,
      mask: options.mask,
      onChanged: (changed) => this.#scripts.rouse(changed),
      onJournalFailed: () => this.#life.endIfBroken(),
    });
    this.clock = new RunClock(options.now, events, options.monotonic);
    this.#delays = new RetryDelays(options.retryDelayMs, () => this.#loop.advance());
    this.#life = new RunLife(this.#record, this.#delays);
    this.#scripts = new ScriptActivity(this.#record);
    const parts = {
      record: this.#record,
      life: this.#life,
      scripts: this.#scripts,
      delays: this.#delays,
      clock: this.clock,
      fail: (reason: unknown) => this.fail(reason),
    };
    const advance = () => this.#loop.advance();
    this.#calls = new TaskCalls(options, { ...parts, tools: ports.tools, advance });
    this.#loop = new RunLoop(options, { ...parts, calls: this.#calls });
  }

  /** A new run; nothing happens before `start`. Throws for a plan that can never end. */
  static begin(
    started: Extract<RunEvent, { type: 'run-started' }>,
    ports: RunPorts,
    options: RunOptions,
  ): LiveRun {
    orderTasks({ tasks: started.tasks });
    const run = new LiveRun([started], ports, options);
    run.#record.writeFirst();
    return run;
  }

  /** A run whose call is under way already; `isRecorded` if the journal has the events. */
  static adopt(
    { events, call, isRecorded }: AdoptedRun,
    ports: RunPorts,
    options: RunOptions,
  ): LiveRun {
    const run = new LiveRun(events, ports, options);
    if (!isRecorded) run.#record.writeFirst();
    run.#calls.adopt(call);
    return run;
  }

  /** A run that another process began. */
  static resume(events: readonly RunEvent[], ports: RunPorts, options: RunOptions): LiveRun {
    const run = new LiveRun(events, ports, options);
    const cutOff = cutOffEvents(run.state, run.clock.now());
    if (cutOff.length > 0) run.#record.emit(...cutOff);
    return run;
  }

  get state(): RunState {
    return this.#record.state;
  }

  /** Everything written down since the start or the last checkpoint. */
  get events(): readonly RunEvent[] {
    return this.#record.events;
  }

  get phase(): RunPhase {
    // An end that is not in the journal is none: the next process would resume the run.
    if (this.broken) return 'broken';
    if (this.state.finished) return 'finished';
    if (this.#life.isStopped) return 'stopped';
    return this.#loop.isPaused ? 'paused' : 'running';
  }

  /** Why the journal could not be written; nothing is started after that. */
  get broken(): PmlError | undefined {
    return this.#life.broken;
  }

  start(): void {
    if (this.state.aborted) this.#life.abort();
    this.#loop.advance();
  }

  /**
   * Ends the run because PML itself failed while it worked on it. The end is a normal event:
   * no client waits for ever, and the next process does not hit the same failure again.
   */
  fail(reason: unknown): void {
    if (this.state.finished || this.#life.isLeft || this.#life.failure) return;
    const message = `PML failed while it worked on this run: ${messageOf(reason)}`;
    this.#calls.clear();
    this.#scripts.clear();
    try {
      this.#delays.clear();
      const error = { code: 'RUN_FAILED', message } as const;
      this.#record.emit(...endEvents(this.state, error, this.clock.now()));
    } catch {
      this.#life.fail(new PmlError('RUN_FAILED', message, { cause: reason }));
    }
    this.#life.abort();
    this.#record.closeWatchers();
    this.#life.change.ring();
  }

  /** Resolves when nothing happens by itself any more, and that is on disk. */
  async idle(): Promise<void> {
    while (!this.#loop.isIdle) {
      await this.changed();
    }
    if (this.#record.isDurable) await this.written();
  }

  /** Resolves when all that happened is on disk, or will never be. */
  written(): Promise<void> {
    return this.#record.settled();
  }

  /** Resolves with the next phase change, or a little before it. */
  changed(): Promise<void> {
    return this.#life.change.next();
  }

  /** What happens from now on, until the run ends or the consumer leaves. */
  watch(): AsyncGenerator<RunEvent, void> {
    return this.#record.watch(() => this.phase === 'running' || this.phase === 'paused');
  }

  /** Aborted when the scripts of this run must not go on: it is over, was given up, or cannot be recorded. */
  get scriptSignal(): AbortSignal {
    return this.#life.scriptSignal;
  }

  /** Makes a call of a script a task of this run. */
  call(task: Task): void {
    this.#record.emit({ type: 'task-called', task, at: this.clock.now() });
    this.#loop.advance();
  }

  /** How a task ended, as soon as that is on disk. */
  ended(id: TaskId): Promise<TaskState> {
    return this.#scripts.ended(id);
  }

  /** Whether the script has anything to do before one of its calls is answered. */
  setScriptBusy(isBusy: boolean, script: ScriptPlace = 'main'): void {
    if (this.#scripts.set(script, isBusy)) this.#loop.advance();
  }

  /** The code that a task runs came to its end; the task itself ends with its result. */
  endNested(task: TaskId, ended: EndedScript): void {
    if (this.state.finished || this.#life.isLeft) return;
    if (this.#record.find(task).status !== 'running') return;
    this.#record.emit({ type: 'script-ended', task, at: this.clock.now(), ...ended });
  }

  endScript(ended: EndedScript): void {
    if (this.state.finished || this.state.script?.end || this.#life.isLeft) return;
    this.#scripts.forgetMainCalls();
    this.#record.emit({ type: 'script-ended', at: this.clock.now(), ...ended });
    this.#scripts.end('main');
    // The script is stopped: no caller is left for the answers of its running calls.
    const { end } = ended;
    if (end.status === 'failed' && end.error.code === 'CODE_STOPPED') this.#life.stopCalls();
    this.#loop.advance();
  }

  /** Applies a decision between two tasks; rejects when it does not fit. Resolves when on disk. */
  async decide(
    command: RunCommand,
    by: Decider,
    { context, message }: DecisionParts = {},
  ): Promise<void> {
    this.#assertOpen();
    checkCommand(this.state, command);
    // With its first decision a run is more than a single call that may be forgotten.
    const broken = this.#life.requireJournal();
    if (broken) throw broken;
    const at = this.clock.now();
    this.#record.emit(
      { type: 'decision-made', at, by, command, ...(context && { context }) },
      ...(message ? [{ type: 'message-added', at, by, text: message } as const] : []),
    );
    if (command.kind === 'abort') this.#life.abort();
    this.#loop.advance();
    this.#life.change.ring();
    await this.#record.written;
  }

  /** A person has signed in to a server: the calls that waited for that are made. */
  signedIn(server: ServerName): void {
    if (this.state.finished || this.#life.isStopped || this.broken) return;
    const because = `signed in to ${server}`;
    const at = this.clock.now();
    const waiting = this.state.tasks.filter(
      (one) => one.status === 'needs_approval' && one.signIn === server,
    );
    if (waiting.length === 0) return;
    this.#record.emit(
      ...waiting.map(({ task }) => ({ type: 'task-retried', task: task.id, at, because }) as const),
    );
    this.#loop.advance();
    this.#life.change.ring();
  }

  /** Adds a message that comes without a decision. Resolves when it is on disk. */
  async say(text: string, by: Decider): Promise<void> {
    this.#assertOpen();
    if (this.state.finished) return;
    const broken = this.#life.requireJournal();
    if (broken) throw broken;
    this.#record.emit({ type: 'message-added', at: this.clock.now(), by, text });
    await this.#record.written;
  }

  #assertOpen(): void {
    if (this.broken) throw this.broken;
    if (this.#life.isStopped) throw new PmlError('DAEMON_UNREACHABLE', 'The daemon is stopping');
  }

  /** Starts nothing more and waits for the running calls, at most so long. The run stays open. */
  async close(graceMs: number): Promise<void> {
    this.#life.stop();
    const ended = (async () => {
      while (this.#calls.size > 0) {
        await this.changed();
      }
    })();
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([ended, grace]).finally(() => clearTimeout(timer));
    await this.#record.settled();
    this.#leave();
  }

  /** A call that is still running stays open in the journal: this process never sees its end. */
  #leave(): void {
    this.#life.leave();
    this.#life.stopScripts();
    this.#calls.clear();
    // The reason tells a task of a server that the next process waits for its result.
    this.#life.stopCalls(new PmlError('DAEMON_UNREACHABLE', 'The daemon is stopping'));
    this.#record.closeWatchers();
    this.#life.change.ring();
  }
}
