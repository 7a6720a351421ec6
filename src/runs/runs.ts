import {
  type Decider,
  messageOf,
  PmlError,
  type PrunePolicy,
  type RunCommand,
  type RunEvent,
  type RunId,
  type RunScript,
  type RunState,
  type ScriptEnd,
  type TaskId,
} from '../core/index.js';
import { checkCommand, type DecisionParts, foldEvents, type LiveRun } from '../executor/index.js';
import { type DamagedView, givenUp, unreadableView } from './damaged-run.js';
import { LiveRuns, type LiveRunsOptions, type LoneRun, type NewRun } from './live-runs.js';
import type { LoneCallOptions, LoneOutcome } from './lone-calls.js';
import { OldRuns } from './old-runs.js';
import { isDamaged, type RunView, storedView, unknownRun, viewOf } from './run-view.js';
import { type Recovered, StoredRuns } from './stored-runs.js';

export interface DecideRunOptions extends DecisionParts {
  readonly by: Decider;
  /** Throws if the current state of the run does not allow the decision. */
  readonly check?: (live: LiveRun) => void;
}

export interface RunsOptions extends LiveRunsOptions {
  /** Runs that ended before this process began, and whose record may not be stored yet. */
  readonly onRecovered: (traces: readonly Recovered[]) => void;
}

/** Finished runs whose record is checked after a start. */
const RECOVERED_RUNS = 100;

/** All runs of this process, and access to finished ones. */
export class Runs implements AsyncDisposable {
  readonly #options: RunsOptions;
  readonly #stored: StoredRuns;
  readonly #live: LiveRuns;
  readonly #old: OldRuns;
  #resuming: Promise<void> = Promise.resolve();

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#stored = new StoredRuns(options);
    this.#live = new LiveRuns(options, this.#stored);
    this.#old = new OldRuns(options, this.#stored, this.#live);
  }

  /** Runs that do something right now, without those that wait for a decision. */
  get activeCount(): number {
    return this.#live.activeCount;
  }

  /** Unfinished runs, which are completely in memory. */
  get liveCount(): number {
    return this.#live.size;
  }

  /** Creates a run; nothing happens before it is started. */
  begin(run: NewRun): LiveRun {
    return this.#live.begin(run);
  }

  /** See `LiveRuns.callAlone`. */
  callAlone(run: LoneRun, options: LoneCallOptions): Promise<LoneOutcome | undefined> {
    return this.#live.callAlone(run, options);
  }

  /** PML learns now from the calls that just ended, for a request that depends on what it knows. */
  learnEnded(): void {
    this.#live.learnEnded();
  }

  /** Learns from a call that needs no run, after its client has the answer. */
  learnLater(learn: () => void): void {
    this.#live.learnLater(learn);
  }

  start(live: LiveRun): void {
    this.#live.start(live);
  }

  /** Runs code for a task of a run: the calls it makes are tasks of the same run. */
  runNested(
    run: RunId,
    script: RunScript,
    place: { readonly task: TaskId; readonly signal: AbortSignal },
  ): Promise<ScriptEnd> {
    return this.#live.runNested(run, script, place);
  }

  async find(run: RunId): Promise<RunView> {
    const live = this.#live.get(run);
    if (live) return viewOf(live);
    await this.#live.written(run);
    const events = await this.#stored.read(run);
    const again = this.#live.get(run);
    if (again) return viewOf(again);
    const damage = await this.#stored.damageOf(run);
    return storedView(run, { events, damage, broken: this.#live.brokenBy(run) });
  }

  /** A run that the client wants to continue. If its journal failed, it resumes from disk. */
  async open(run: RunId): Promise<RunView> {
    const view = await this.find(run);
    if (view.live || view.state.finished || view.phase === 'damaged') return view;
    await this.#resume(run);
    return this.find(run);
  }

  async decide(
    run: RunId,
    command: RunCommand,
    { by, check, ...parts }: DecideRunOptions,
  ): Promise<RunView> {
    const view = await this.open(run);
    if (isDamaged(view)) return this.#giveUp(view, command, by);
    if (view.state.finished && !view.broken) checkCommand(view.state, command);
    if (!view.live) {
      if (view.broken) throw view.broken;
      throw new PmlError('RUN_UNKNOWN', `Run ${run} is worked on by another process`);
    }
    check?.(view.live);
    await view.live.decide(command, by, parts);
    return viewOf(view.live);
  }

  /** Newest first. */
  async list({ limit }: { limit: number }): Promise<readonly RunView[]> {
    await this.#live.written();
    const ids = await (await this.#options.log).list({ limit });
    return Promise.all(
      ids.map((id) =>
        this.find(id).catch((error: unknown) => {
          this.#stored.logUnreadable(id, error);
          return unreadableView(id, error);
        }),
      ),
    );
  }

  async events(run: RunId): Promise<readonly RunEvent[]> {
    const live = this.#live.get(run);
    if (live) return live.events;
    await this.#live.written(run);
    const events = await this.#stored.read(run);
    const damage = await this.#stored.damageOf(run);
    if (events.length === 0 && !damage) throw unknownRun(run);
    return events;
  }

  /** Resumes the runs that no process works on, and stores the missing records of finished runs. */
  async recover(): Promise<void> {
    await this.resume();
    const log = await this.#options.log;
    const ids = await log.list({ limit: RECOVERED_RUNS });
    const traces = await Promise.all(ids.map((id) => this.#stored.recover(id)));
    this.#options.onRecovered(traces.filter((trace) => trace !== undefined));
  }

  /**
   * Resumes every unfinished run that no living process holds. A run that failed because of PML
   * waits until a client asks for it: otherwise it would fail again and repeat its calls.
   */
  async resume(): Promise<void> {
    await this.#resume();
  }

  /** Shortens and prunes old runs. */
  maintain(policy: PrunePolicy): Promise<void> {
    return this.#old.maintain(policy);
  }

  /** Calls the listener for every run that ends. Returns a function that removes the listener. */
  onEnded(listener: () => void): () => void {
    return this.#live.onEnded(listener);
  }

  /** See `LiveRuns.onAnswered`. */
  onAnswered(listener: (state: RunState) => void): () => void {
    return this.#live.onAnswered(listener);
  }

  /** See `LiveRuns.onBegun`. */
  onBegun(listener: (live: LiveRun) => void): () => void {
    return this.#live.onBegun(listener);
  }

  /** The runs that this process works on, including those that wait for a decision. */
  live(): readonly LiveRun[] {
    return this.#live.all();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#live.close();
  }

  /** A run with lost events cannot be resumed; it can only be ended. */
  async #giveUp(view: DamagedView, command: RunCommand, by: Decider): Promise<RunView> {
    if (command.kind !== 'abort') throw view.broken;
    const { run } = view.state;
    const at = this.#options.now();
    await (await this.#options.log).append(run, [givenUp(view, { by, at, command })]);
    return this.find(run);
  }

  async #resume(wanted?: RunId): Promise<void> {
    // One at a time: state that was read before another resume finished is out of date.
    const mine = this.#resuming.then(() => this.#resumeAll(wanted));
    this.#resuming = mine.catch(() => {}); // The caller gets the error from `mine`.
    await mine;
  }

  async #resumeAll(wanted: RunId | undefined): Promise<void> {
    const log = await this.#options.log;
    for (const id of await log.claim()) {
      if (this.#live.get(id) || this.#live.isClosed) continue;
      if (id !== wanted && this.#live.brokenBy(id)?.code === 'RUN_FAILED') continue;
      try {
        await this.#live.written(id);
        this.#resumeOne(id, await this.#stored.read(id));
      } catch (error) {
        this.#stored.logUnreadable(id, error);
        const text = `Run ${id} cannot go on: ${messageOf(error)}`;
        this.#live.setBroken(id, new PmlError('RUN_FAILED', text, { cause: error }));
      }
    }
  }

  #resumeOne(id: RunId, events: readonly RunEvent[]): void {
    // During the read, the run may have ended here, or the daemon may have begun to stop.
    if (this.#live.get(id) || this.#live.isClosed || foldEvents(events).finished) return;
    this.#live.resume(id, events);
    this.#options.logger.info('run resumed', { run: id });
  }
}
