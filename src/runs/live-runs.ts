import {
  type ApprovalMode,
  type JsonObject,
  messageOf,
  PmlError,
  type Principal,
  type RunEvent,
  type RunId,
  type RunScript,
  type RunState,
  type ScriptEnd,
  type Task,
  type TaskId,
  type ToolCaller,
} from '../core/index.js';
import {
  type AdoptedRun,
  foldEvents,
  LiveRun,
  type RunOptions,
  type RunPorts,
  type RunTrace,
} from '../executor/index.js';
import { driveScript, executeScript } from './drive-script.js';
import { LoneCall } from './lone-call.js';
import { type LoneCallOptions, LoneCalls, type LoneOutcome } from './lone-calls.js';
import { maskIntent } from './mend-events.js';
import type { ReadyCode, ScriptPorts } from './script-ports.js';
import { scriptsAbove } from './scripts-above.js';
import type { StoredRuns, StoredRunsOptions } from './stored-runs.js';

export interface NewRun {
  readonly tasks: readonly Task[];
  readonly intent?: string;
  readonly approve: ApprovalMode;
  readonly context: JsonObject;
  readonly script?: RunScript;
  /** The script, made ready when it was checked, so that it is not parsed again to begin with. */
  readonly ready?: ReadyCode;
  readonly isReadOnly?: boolean;
  /** Who began it; missing for the user. */
  readonly owner?: Principal;
  /** Name of the profile whose rules it follows. */
  readonly profile?: string;
  /** False for a lone call that only reads: nothing is lost when it is forgotten. */
  readonly isDurable: boolean;
}

type RunStarted = Extract<RunEvent, { type: 'run-started' }>;

/** A run of one call that needs nothing but to be made. */
export interface LoneRun extends Omit<NewRun, 'tasks' | 'script' | 'ready' | 'isDurable'> {
  readonly task: Task;
}

export interface LiveRunsOptions extends StoredRunsOptions {
  /** What executes the scripts of runs. */
  readonly scripts: ScriptPorts;
  /** How long a script that waits for a decision is kept in memory. */
  readonly awakeMs: () => number;
  /** How the calls of a run are made. */
  readonly callerFor: (run: RunId, profile?: string, owner?: Principal) => ToolCaller;
  /** As they are now: configuration and catalog change while runs are under way. */
  readonly settings: (profile?: string) => Omit<RunOptions, 'now' | 'isDurable' | 'mask'>;
  readonly newRunId: () => RunId;
  readonly now: () => number;
  /** A run came to its end; without a trace if its events could not be made one. */
  readonly onFinished: (trace: RunTrace | undefined, run: FinishedRun) => void;
}

type RunIdentity = Pick<RunState, 'run' | 'profile' | 'owner'>;

export interface FinishedRun extends RunIdentity {
  /** Missing for a lone call, which is all in its trace. */
  readonly state?: RunState;
}

const CLOSE_GRACE_MS = 2_000;

/** The runs that this process works on, until they are over or their journal failed. */
export class LiveRuns {
  readonly #options: LiveRunsOptions;
  readonly #stored: StoredRuns;
  readonly #live = new Map<RunId, LiveRun>();
  /** Runs whose journal failed, until they are resumed. */
  readonly #broken = new Map<RunId, PmlError>();
  /** Scripts that were made ready before their run began, until it starts. */
  readonly #ready = new WeakMap<LiveRun, ReadyCode>();
  readonly #endListeners = new Set<() => void>();
  readonly #beginListeners = new Set<(live: LiveRun) => void>();
  readonly #answerListeners = new Set<(state: RunState) => void>();
  readonly #lone: LoneCalls;
  #isClosed = false;

  constructor(options: LiveRunsOptions, stored: StoredRuns) {
    this.#options = options;
    this.#stored = stored;
    const { now, callerFor, logger, log } = options;
    const ports = {
      now,
      callerFor,
      logger,
      checkResult: options.settings().checkResult,
      adopt: (run: AdoptedRun, isDurable: boolean) => this.#takeOver(run, isDurable),
      onEnded: (events: readonly RunEvent[]) => this.#ended(events),
    };
    this.#lone = new LoneCalls(ports, log);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get size(): number {
    return this.#live.size + this.#lone.size;
  }

  /** Runs that do something right now; those that wait for a decision do not count. */
  get activeCount(): number {
    const live = [...this.#live.values()].filter(({ phase }) => phase === 'running');
    return live.length + this.#lone.size;
  }

  /** A lone call that is asked about becomes a run like all others. */
  get(run: RunId): LiveRun | undefined {
    return this.#live.get(run) ?? this.#lone.promote(run);
  }

  /** Resolves when a run that is over, or all of them, can be read from the journal. */
  written(run?: RunId): Promise<void> {
    return this.#lone.written(run);
  }

  /** See `LoneCalls.learnEnded`. */
  learnEnded(): void {
    this.#lone.learnEnded();
  }

  /** See `LoneCalls.learnLater`. */
  learnLater(learn: () => void): void {
    this.#lone.learnLater(learn);
  }

  /** Why this process could not go on with a run. */
  brokenBy(run: RunId): PmlError | undefined {
    return this.#broken.get(run);
  }

  setBroken(run: RunId, reason: PmlError): void {
    this.#broken.set(run, reason);
  }

  /** A new run; nothing happens before it is started. */
  begin({ isDurable, ready, ...run }: NewRun): LiveRun {
    const started = this.#started(run);
    const live = LiveRun.begin(started, this.#ports(started), this.#settings(started, isDurable));
    if (ready) this.#ready.set(live, ready);
    this.#adopt(started.run, live);
    return live;
  }

  /**
   * Makes a call that needs nothing but to be made, without a run unless it turns out to need one.
   * Nothing is done, and nothing given back, if it must be a run from the start.
   */
  callAlone(run: LoneRun, options: LoneCallOptions): Promise<LoneOutcome | undefined> {
    const { task, ...rest } = run;
    const started = this.#started({ ...rest, tasks: [task] });
    return this.#lone.make(new LoneCall(started, task, options), options);
  }

  #started(run: Omit<NewRun, 'isDurable' | 'ready'>): RunStarted {
    if (this.#isClosed) throw new PmlError('DAEMON_UNREACHABLE', 'The daemon is stopping');
    const { now, mask, newRunId } = this.#options;
    const intent = maskIntent(run, mask);
    return { type: 'run-started', run: newRunId(), at: now(), ...run, ...intent };
  }

  /** Continues a run that another process began. */
  resume(id: RunId, events: readonly RunEvent[]): void {
    const state = foldEvents(events);
    const live = LiveRun.resume(events, this.#ports(state), this.#settings(state, true));
    this.#adopt(id, live);
    this.start(live);
  }

  start(live: LiveRun): void {
    live.start();
    if (!live.state.script) return;
    const { scripts, awakeMs, logger: log } = this.#options;
    const ready = this.#ready.get(live);
    this.#ready.delete(live);
    driveScript(live, scripts, { awakeMs: awakeMs(), log, ready }).catch((error: unknown) =>
      live.fail(error),
    );
  }

  /** Runs code for a task of a run: the calls it makes are tasks of the same run. */
  async runNested(
    run: RunId,
    script: RunScript,
    { task, signal }: { readonly task: TaskId; readonly signal: AbortSignal },
  ): Promise<ScriptEnd> {
    const live = this.#live.get(run);
    if (!live) throw new PmlError('RUN_UNKNOWN', `Run ${run} is not worked on here`);
    const above = scriptsAbove(live.state, task);
    const nested = { task, signal, depth: above.length + (live.state.script ? 1 : 0) };
    const { scripts, awakeMs } = this.#options;
    const outcome = await executeScript(live, scripts, { script, nested, awakeMs: awakeMs() });
    if (!outcome) throw new PmlError('CALL_CANCELLED', 'the run was given up');
    live.endNested(task, outcome);
    return outcome.end;
  }

  /** Calls the listener for every run that comes to its end. Returns how to stop it. */
  onEnded(listener: () => void): () => void {
    this.#endListeners.add(listener);
    return () => void this.#endListeners.delete(listener);
  }

  /** All that this process works on now. */
  all(): readonly LiveRun[] {
    return [...this.#live.values()];
  }

  /** Calls the listener for every run that this process begins or resumes. Returns how to stop it. */
  onBegun(listener: (live: LiveRun) => void): () => void {
    this.#beginListeners.add(listener);
    return () => void this.#beginListeners.delete(listener);
  }

  /** Calls the listener for every lone call that ended without becoming a run. */
  onAnswered(listener: (state: RunState) => void): () => void {
    this.#answerListeners.add(listener);
    return () => void this.#answerListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lone.settled();
    for (const id of this.#lone.ids) this.#lone.promote(id);
    await Promise.all(this.all().map((live) => live.close(CLOSE_GRACE_MS)));
    await this.#lone.written();
    this.#lone.learnEnded();
    this.#live.clear();
  }

  #settings({ profile }: RunIdentity, isDurable: boolean): RunOptions {
    const { now, mask, settings } = this.#options;
    return { ...settings(profile), now, isDurable, ...(mask && { mask }) };
  }

  #ports({ run, profile, owner }: RunIdentity): RunPorts {
    const { log, logger, callerFor } = this.#options;
    const append = async (id: RunId, events: readonly RunEvent[]): Promise<void> => {
      try {
        await (await log).append(id, events);
      } catch (error) {
        logger.error('journal not written', { run: id, error: messageOf(error) });
        throw error;
      }
    };
    return { log: { append }, tools: callerFor(run, profile, owner) };
  }

  #takeOver(run: AdoptedRun, isDurable: boolean): LiveRun {
    const [started] = run.events;
    if (started?.type !== 'run-started') throw new TypeError('a run begins with its start');
    const live = LiveRun.adopt(run, this.#ports(started), this.#settings(started, isDurable));
    this.#adopt(started.run, live);
    return live;
  }

  #ended(events: readonly RunEvent[]): void {
    const [started] = events;
    if (started?.type !== 'run-started') throw new TypeError('a run begins with its start');
    if (this.#answerListeners.size > 0) {
      const state = foldEvents(events);
      for (const listener of this.#answerListeners) listener(state);
    }
    for (const listener of this.#endListeners) listener();
    this.#options.onFinished(this.#stored.trace(started.run, events), started);
  }

  #adopt(id: RunId, live: LiveRun): void {
    this.#live.set(id, live);
    this.#broken.delete(id);
    for (const listener of this.#beginListeners) listener(live);
    void this.#follow(id, live).catch((error: unknown) =>
      this.#options.logger.error('run not followed', { run: id, error: messageOf(error) }),
    );
  }

  /** Lets go of a run that is over, or that must be read from its journal again. */
  async #follow(id: RunId, live: LiveRun): Promise<void> {
    while (live.phase === 'running' || live.phase === 'paused') await live.changed();
    await live.idle();
    // One that need not wait for its journal must not be nowhere for a moment.
    await live.written();
    this.#live.delete(id);
    if (live.broken) this.#broken.set(id, live.broken);
    if (live.phase !== 'finished') return;
    for (const listener of this.#endListeners) listener();
    const { state } = live;
    const { run, profile, owner } = state;
    const finished = { run, ...(profile && { profile }), ...(owner && { owner }), state };
    this.#options.onFinished(await this.#stored.traceInTurns(live), finished);
  }
}
