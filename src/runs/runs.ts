import {
  type ApprovalMode,
  type Decider,
  type ErrorType,
  type JsonObject,
  type Logger,
  messageOf,
  PmlError,
  type Principal,
  type PrunePolicy,
  type RunCommand,
  type RunEvent,
  type RunId,
  type RunLog,
  type RunScript,
  type RunState,
  type ScriptEnd,
  type Task,
  type TaskError,
  type TaskId,
  type ToolCaller,
} from '../core/index.js';
import {
  checkCommand,
  foldEvents,
  LiveRun,
  type RunOptions,
  type RunPhase,
  type RunTrace,
  traceRun,
} from '../executor/index.js';
import { compactState } from './compact-state.js';
import { type DamagedView, damagedView, givenUp, unreadableView } from './damaged-run.js';
import { driveScript, executeScript } from './drive-script.js';
import { foldReadable } from './fold-readable.js';
import { maskIntent, mendEvents, withoutSecrets } from './mend-events.js';
import type { ScriptPorts } from './script-driver.js';

export interface NewRun {
  readonly tasks: readonly Task[];
  readonly intent?: string;
  readonly approve: ApprovalMode;
  readonly context: JsonObject;
  readonly script?: RunScript;
  readonly isReadOnly?: boolean;
  /** Who began it; missing for the user. */
  readonly owner?: Principal;
  /** False for a lone call that only reads: nothing is lost when it is forgotten. */
  readonly isDurable: boolean;
}

/** A run as it is now, whether this process works on it or it has come to its end. */
export interface RunView {
  readonly state: RunState;
  readonly phase: RunPhase;
  readonly live?: LiveRun;
  /** Why it could not go on. */
  readonly broken?: PmlError;
}

export interface DecideRunOptions {
  readonly by: Decider;
  readonly context?: JsonObject;
  /** Throws if the decision must not be made on the run as it is at that moment. */
  readonly check?: (live: LiveRun) => void;
}

export interface RunsOptions {
  /** Opened beside everything else; what needs it waits for it. */
  readonly log: Promise<RunLog>;
  /** What executes the scripts of runs. */
  readonly scripts: ScriptPorts;
  /** How long a script that waits for a decision is kept in memory. */
  readonly awakeMs: () => number;
  /** How the calls of a run are made. */
  readonly callerFor: (run: RunId) => ToolCaller;
  /** As they are now: configuration and catalog change while runs are under way. */
  readonly settings: () => Omit<RunOptions, 'now' | 'isDurable' | 'mask'>;
  readonly errorType: (error: TaskError) => ErrorType;
  /** Hides secrets in what is remembered. Without it no arguments are. */
  readonly mask?: (text: string) => string;
  readonly newRunId: () => RunId;
  readonly now: () => number;
  readonly logger: Logger;
  /** A run came to its end; without a trace if its events could not be made one. */
  readonly onFinished: (trace: RunTrace | undefined, state: RunState) => void;
  /** Runs that ended before this process began, and whose record may not have been stored. */
  readonly onRecovered: (traces: readonly Recovered[]) => void;
}

interface Recovered {
  readonly trace: RunTrace;
  readonly startedAt: number;
}

/** Finished runs whose results are kept whole; of older ones their beginnings. */
const WHOLE_RUNS = 50;
/** Finished runs whose record is checked after a start. */
const RECOVERED_RUNS = 100;
/** Finished runs that are read and shortened together. */
const SHORTENED_AT_ONCE = 16;
const CLOSE_GRACE_MS = 2_000;

/** All runs of this process, and the way to those that are over. */
export class Runs implements AsyncDisposable {
  readonly #options: RunsOptions;
  readonly #live = new Map<RunId, LiveRun>();
  /** Finished runs that are shortened already. */
  #compacted = new Set<RunId>();
  readonly #endListeners = new Set<() => void>();
  /** Runs whose journal failed, until they are taken up again. */
  readonly #broken = new Map<RunId, PmlError>();
  #resuming: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** Runs that do something right now; those that wait for a decision do not count. */
  get activeCount(): number {
    return [...this.#live.values()].filter(({ phase }) => phase === 'running').length;
  }

  /** Runs that are in memory as a whole: those that are not over. */
  get liveCount(): number {
    return this.#live.size;
  }

  /** A new run; nothing happens before it is started. */
  begin({ isDurable, ...run }: NewRun): LiveRun {
    if (this.#isClosed) throw new PmlError('DAEMON_UNREACHABLE', 'The daemon is stopping');
    const id = this.#options.newRunId();
    const { now, mask } = this.#options;
    const intent = maskIntent(run, mask);
    const started = { type: 'run-started', run: id, at: now(), ...run, ...intent } as const;
    const live = LiveRun.begin(started, this.#ports(id), this.#settings(isDurable));
    this.#adopt(id, live);
    return live;
  }

  start(live: LiveRun): void {
    live.start();
    if (!live.state.script) return;
    const { scripts, awakeMs, logger: log } = this.#options;
    driveScript(live, scripts, { awakeMs: awakeMs(), log }).catch((error: unknown) =>
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

  async find(run: RunId): Promise<RunView> {
    const live = this.#live.get(run);
    if (live) return viewOf(live);
    const events = await this.#read(run);
    const again = this.#live.get(run);
    if (again) return viewOf(again);
    const damage = (await this.#options.log).damageOf(run);
    if (damage) return damagedView(run, events, damage);
    if (events.length === 0) throw unknownRun(run);
    const { state, fault } = foldReadable(events);
    if (fault) return { ...unreadableView(run, fault), state };
    const broken = this.#broken.get(run);
    if (state.finished || !broken) return { state, phase: state.finished ? 'finished' : 'stopped' };
    return { state, phase: 'broken', broken };
  }

  /** A run that somebody wants to go on: one whose journal failed is taken up from what is there. */
  async open(run: RunId): Promise<RunView> {
    const view = await this.find(run);
    if (view.live || view.state.finished || view.phase === 'damaged') return view;
    await this.#resume(run);
    return this.find(run);
  }

  async decide(
    run: RunId,
    command: RunCommand,
    { by, context, check }: DecideRunOptions,
  ): Promise<RunView> {
    const view = await this.open(run);
    if (view.phase === 'damaged') return this.#giveUp(view as DamagedView, command, by);
    if (view.state.finished && !view.broken) checkCommand(view.state, command);
    if (!view.live) {
      if (view.broken) throw view.broken;
      throw new PmlError('RUN_UNKNOWN', `Run ${run} is worked on by another process`);
    }
    check?.(view.live);
    await view.live.decide(command, by, context);
    return viewOf(view.live);
  }

  /** Newest first. */
  async list({ limit }: { limit: number }): Promise<readonly RunView[]> {
    const ids = await (await this.#options.log).list({ limit });
    const views = await Promise.all(
      ids.map((id) =>
        this.find(id).catch((error: unknown) => {
          this.#unreadable(id, error);
          return unreadableView(id, error);
        }),
      ),
    );
    return views;
  }

  /** Nobody can go on with a run of which part is lost; all that can be done is to end it. */
  async #giveUp(view: DamagedView, command: RunCommand, by: Decider): Promise<RunView> {
    if (command.kind !== 'abort') throw view.broken;
    const { run } = view.state;
    const at = this.#options.now();
    await (await this.#options.log).append(run, [givenUp(view, { by, at, command })]);
    return this.find(run);
  }

  async events(run: RunId): Promise<readonly RunEvent[]> {
    const live = this.#live.get(run);
    if (live) return live.events;
    const events = await this.#read(run);
    const isDamaged = (await this.#options.log).damageOf(run) !== undefined;
    if (events.length === 0 && !isDamaged) throw unknownRun(run);
    return events;
  }

  /** Takes up what nobody works on, and makes sure that what ended is remembered. */
  async recover(): Promise<void> {
    await this.resume();
    const log = await this.#options.log;
    const ids = await log.list({ limit: RECOVERED_RUNS });
    const traces = await Promise.all(ids.map((id) => this.#recoveredTrace(id)));
    this.#options.onRecovered(traces.filter((trace) => trace !== undefined));
  }

  /**
   * Goes on with every unfinished run that no living process has. One that PML failed at is left until
   * somebody asks for it: it would fail again, and repeat its calls.
   */
  async resume(): Promise<void> {
    await this.#resume();
  }

  async #resume(wanted?: RunId): Promise<void> {
    // One after the other: what was read before another one took up a run is out of date.
    const mine = this.#resuming.then(() => this.#takeUpAll(wanted));
    this.#resuming = mine.catch(() => {}); // Told to the one who asked.
    await mine;
  }

  /** Shortens and forgets old runs. */
  async maintain(policy: PrunePolicy): Promise<void> {
    const log = await this.#options.log;
    const forgotten = await log.prune(policy);
    if (forgotten > 0) this.#options.logger.info('old runs forgotten', { runs: forgotten });
    const old = (await log.list({ limit: policy.keepRuns + WHOLE_RUNS })).slice(WHOLE_RUNS);
    // Only of runs that are still there: the set must not outgrow the journal.
    this.#compacted = new Set(old.filter((id) => this.#compacted.has(id)));
    const whole = old.filter((id) => !this.#compacted.has(id) && !this.#live.has(id));
    for (let start = 0; start < whole.length; start += SHORTENED_AT_ONCE) {
      if (this.#isClosed) return;
      // Together, so that they share a write.
      await Promise.all(
        whole.slice(start, start + SHORTENED_AT_ONCE).map((id) => this.#shorten(id)),
      );
    }
  }

  /** Hears of every run that comes to its end. Returns how to stop it. */
  onEnded(listener: () => void): () => void {
    this.#endListeners.add(listener);
    return () => void this.#endListeners.delete(listener);
  }

  async #shorten(id: RunId): Promise<void> {
    const log = await this.#options.log;
    const events = await this.#read(id);
    const state = this.#folded(id, events);
    if (!state?.finished) return;
    if (events.length > 1) {
      await log.append(id, [{ type: 'run-checkpoint', state: compactState(state) }]);
    }
    this.#compacted.add(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live.values()].map((live) => live.close(CLOSE_GRACE_MS)));
    this.#live.clear();
  }

  async #takeUpAll(wanted: RunId | undefined): Promise<void> {
    const log = await this.#options.log;
    for (const id of await log.claim()) {
      if (this.#live.has(id) || this.#isClosed) continue;
      if (id !== wanted && this.#broken.get(id)?.code === 'RUN_FAILED') continue;
      try {
        this.#takeUp(id, await this.#read(id));
      } catch (error) {
        this.#unreadable(id, error);
        const text = `Run ${id} cannot go on: ${messageOf(error)}`;
        this.#broken.set(id, new PmlError('RUN_FAILED', text, { cause: error }));
      }
    }
  }

  #takeUp(id: RunId, events: readonly RunEvent[]): void {
    // While it was read it may have come to its end here, or the daemon to its own.
    if (this.#live.has(id) || this.#isClosed || foldEvents(events).finished) return;
    const live = LiveRun.resume(events, this.#ports(id), this.#settings(true));
    this.#adopt(id, live);
    this.start(live);
    this.#options.logger.info('run taken up', { run: id });
  }

  /** Nothing for a run that is still open, or was shortened: that was remembered long ago. */
  async #recoveredTrace(id: RunId): Promise<Recovered | undefined> {
    try {
      const events = await this.#read(id);
      const state = foldEvents(events);
      if (!state.finished || events[0]?.type === 'run-checkpoint') return undefined;
      return {
        trace: traceRun(events, this.#options.errorType, this.#options.mask),
        startedAt: state.startedAt,
      };
    } catch (error) {
      return this.#unreadable(id, error);
    }
  }

  async #read(id: RunId): Promise<readonly RunEvent[]> {
    const { log, mask } = this.#options;
    const events = mendEvents(await (await log).read(id));
    return mask ? events.map((event) => withoutSecrets(event, mask)) : events;
  }

  /** Nothing, and a line in the log, for a run that cannot be read: the others are not to suffer. */
  #folded(id: RunId, events: readonly RunEvent[]): RunState | undefined {
    try {
      return foldEvents(events);
    } catch (error) {
      return this.#unreadable(id, error);
    }
  }

  #settings(isDurable: boolean): RunOptions {
    const { now, mask, settings } = this.#options;
    return { ...settings(), now, isDurable, ...(mask && { mask }) };
  }

  #ports(run: RunId) {
    const { log, logger, callerFor } = this.#options;
    const append = async (id: RunId, events: readonly RunEvent[]): Promise<void> => {
      try {
        await (await log).append(id, events);
      } catch (error) {
        logger.error('journal not written', { run: id, error: messageOf(error) });
        throw error;
      }
    };
    return { log: { append }, tools: callerFor(run) };
  }

  #adopt(id: RunId, live: LiveRun): void {
    this.#live.set(id, live);
    this.#broken.delete(id);
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
    this.#options.onFinished(this.#traceOf(id, live.events), live.state);
  }

  /** Nothing, and a line in the log, for a run that nothing can be learned from. */
  #traceOf(id: RunId, events: readonly RunEvent[]): RunTrace | undefined {
    try {
      return traceRun(events, this.#options.errorType, this.#options.mask);
    } catch (error) {
      this.#options.logger.error('run not remembered', { run: id, error: messageOf(error) });
      return undefined;
    }
  }

  #unreadable(run: RunId, error: unknown): undefined {
    this.#options.logger.error('run not readable', { run, error: messageOf(error) });
    return undefined;
  }
}

function viewOf(live: LiveRun): RunView {
  const { state, phase, broken } = live;
  return { state, phase, live, ...(broken && { broken }) };
}

/** Names no other run: an id is what gives access to a run, and these may be of other principals. */
function unknownRun(run: RunId): PmlError {
  const text = `No run ${run}: it was forgotten, or never began. pml_continue without "run" lists your unfinished runs; the user can list all with pml runs`;
  return new PmlError('RUN_UNKNOWN', text, { details: { run } });
}

/** The capabilities that run the code of a task. Code that comes to run itself would never end. */
function scriptsAbove({ tasks }: RunState, id: TaskId): readonly Task[] {
  const byId = new Map(tasks.map(({ task }) => [task.id, task]));
  const own = byId.get(id);
  const above: Task[] = [];
  for (let up = own?.parent; up !== undefined; up = above.at(-1)?.parent) {
    const task = byId.get(up);
    if (!task) break;
    if (task.tool === own?.tool) {
      throw new PmlError('BAD_REQUEST', `${task.tool} comes to call itself`);
    }
    above.push(task);
  }
  return above;
}
