import { FeatureMemory } from '../../attention/index.js';
import {
  type ExecutionTrace,
  type ExperienceStore,
  type GraphOf,
  inParts,
  type Logger,
  messageOf,
  PmlError,
  pause,
  type Principal,
} from '../../core/index.js';
import { IntentMemory, Reliability, type RequestMemory } from '../../ranking/index.js';
import { pastIntent } from './past-intent.js';
import { TraceArchive } from './trace-archive.js';

export interface ExperienceOptions {
  /** Takes every request that was served; shared with what finds them by meaning. */
  readonly requests: RequestMemory;
  readonly log: Logger;
  /** What executions add to the graph, which is stored with them. */
  readonly graphOf: GraphOf;
  /** What may be kept of a request. */
  readonly keepable: (intent: string) => string;
  /** Hears of executions that are in memory. Resolves when they are found by meaning as well. */
  readonly onTaken: (traces: readonly ExecutionTrace[]) => Promise<unknown>;
  /** Hears of those that are new: to the store or, where there is none or it fails, to memory. */
  readonly onAdded: (traces: readonly ExecutionTrace[]) => void;
  /** Whose memory it is. Default: the user's. */
  readonly owner?: Principal;
  /** The most executions it holds. */
  readonly capacity?: number;
  /** There is more than before, and it is found by meaning as well. */
  readonly onGrown: () => void;
}

export const MOST_REMEMBERED = 20_000;
/** Under heavy load, calls without an intent only count for their tool. */
const MOST_FRESH = 250;
const FLUSH_MS = 1_000;
const TAKEN_AT_ONCE = 20;
const STORED_AT_ONCE = 250;

/** What was executed: the newest in memory, all of it in the store. */
export class Experience {
  readonly reliability = new Reliability();
  /** What traces show about each tool. */
  readonly features = new FeatureMemory();
  /** Past requests by their words, for when there are no vectors. */
  readonly words: IntentMemory;
  readonly #options: ExperienceOptions;
  #served = 0;
  readonly #traces: TraceArchive;
  #store: ExperienceStore | undefined;
  /** Executions that are not remembered yet. */
  readonly #fresh: ExecutionTrace[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  #flushing = Promise.resolve();
  /** The experience of earlier runs on its way into memory. */
  #loading: Promise<unknown> = Promise.resolve();
  #growing: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: ExperienceOptions) {
    this.#options = options;
    this.#traces = new TraceArchive({ capacity: this.#capacity });
    this.words = new IntentMemory({ dimension: 1, requests: options.requests });
  }

  get #capacity(): number {
    return this.#options.capacity ?? MOST_REMEMBERED;
  }

  /** What is remembered, oldest first. */
  get traces(): Iterable<ExecutionTrace> {
    return this.#traces.all();
  }

  /** How many are remembered, and what that takes. */
  get held(): { readonly executions: number; readonly executionBytes: number } {
    return { executions: this.#traces.size, executionBytes: this.#traces.packedBytes };
  }

  /** How many requests PML has added to memory so far, including forgotten ones. */
  get served(): number {
    return this.#served;
  }

  /** Loads the experience of earlier processes, and stores what came before the store was open. */
  async attach(store: ExperienceStore): Promise<void> {
    const early = [...this.#traces.all()];
    this.#store = store;
    // Requests do not wait for this: PML answers them with what is loaded.
    const stored = await store.load({
      limit: this.#capacity,
      ...this.#owned,
    });
    this.#loading = this.#takeAll(stored).catch((error: unknown) =>
      this.#options.log.warn('earlier experience not loaded', { error: messageOf(error) }),
    );
    if (early.length > 0) await store.add(early, this.#options.graphOf);
  }

  /** Resolves when what earlier runs left is in memory. */
  async loaded(): Promise<void> {
    await this.#loading;
  }

  knows(id: string): boolean {
    return this.#traces.has(id);
  }

  /** An execution by its id or that of its run, as far as it is remembered. */
  async recall(id: string): Promise<ExecutionTrace | undefined> {
    await this.settled();
    return this.find(id) ?? [...this.#traces.all()].findLast(({ run }) => run === id);
  }

  /** An execution by its id, as far as it is in memory. */
  find(id: string): ExecutionTrace | undefined {
    return this.#traces.get(id);
  }

  /** Whether PML only counts further single calls: it does not keep arguments then. */
  get isBusy(): boolean {
    return this.#fresh.length >= MOST_FRESH;
  }

  /** Behind the calls and in batches: being remembered must cost a call nothing. */
  keep(trace: ExecutionTrace): void {
    const isLone = !trace.intent && trace.calls.length === 1;
    if (this.isBusy && isLone) return this.reliability.add(trace.calls);
    this.#fresh.push(trace);
    this.#flushTimer ??= setTimeout(() => void this.#flush(), FLUSH_MS).unref();
  }

  /**
   * Adds executions, wherever they come from. Says how many are new. Many are stored in several
   * transactions: an import that was interrupted can be repeated, because known ones are left out.
   */
  async remember(traces: readonly ExecutionTrace[]): Promise<number> {
    let all = 0;
    const parts: Promise<unknown>[] = [];
    try {
      for (const some of inParts(traces, STORED_AT_ONCE)) {
        if (this.#isClosed) throw stopped();
        const fresh = this.#unknown(some);
        if (this.#store && fresh.length > 0) {
          all += await this.#add(fresh, this.#store);
          parts.push((await this.#takeAll(fresh)).withVectors);
        } else if (fresh.length > 0) {
          // All at once: a store that opens next takes over what is in memory.
          all += fresh.length;
          parts.push(this.#take(fresh, { isNew: true }));
        }
        await pause();
      }
    } finally {
      if (parts.length > 0) this.#growing = this.#grow(parts);
    }
    return all;
  }

  /** Calls `onGrown` when the vectors are in memory. */
  async #grow(parts: readonly Promise<unknown>[]): Promise<void> {
    try {
      await Promise.all([this.#growing, ...parts]);
      this.#options.onGrown();
    } catch (error) {
      this.#options.log.warn('nothing learned from new executions', { error: messageOf(error) });
    }
  }

  /** Resolves when everything that is known is in memory. */
  async settled(): Promise<void> {
    await this.#loading;
    await this.#flush();
  }

  /** Resolves when the vectors of what was added are in memory, too, and `onGrown` was called. */
  async grown(): Promise<void> {
    await this.#growing;
  }

  /** Stores what is pending, and accepts no more. */
  async close(): Promise<void> {
    await this.#flush();
    this.#isClosed = true;
  }

  /** One at a time: who waits for it waits for those under way, too. */
  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flushNow());
    return this.#flushing;
  }

  async #flushNow(): Promise<void> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const fresh = this.#fresh.splice(0);
    if (fresh.length === 0) return;
    try {
      await this.remember(fresh);
    } catch (error) {
      this.#options.log.warn('executions not stored', { error: messageOf(error) });
      void this.#take(fresh, { isNew: true });
    }
  }

  /** Says how many the store did not have. */
  async #add(traces: readonly ExecutionTrace[], store: ExperienceStore): Promise<number> {
    const ids = new Set(await store.add(traces, this.#options.graphOf));
    this.#tellAdded(traces.filter(({ id }) => ids.has(id)));
    return ids.size;
  }

  #tellAdded(traces: readonly ExecutionTrace[]): void {
    if (traces.length > 0) this.#options.onAdded(traces);
  }

  /**
   * Each trace once, with the readable part of its intent: encoded data does not help and may hold
   * anything.
   */
  #unknown(traces: readonly ExecutionTrace[]): readonly ExecutionTrace[] {
    const byId = new Map(traces.map((trace) => [trace.id, trace]));
    return [...byId.values()]
      .filter(({ id }) => !this.#traces.has(id))
      .map((trace) => ({
        ...trace,
        intent: this.#options.keepable(trace.intent),
        ...this.#owned,
      }));
  }

  get #owned(): { readonly owner?: Principal } {
    const { owner } = this.#options;
    return owner === undefined ? {} : { owner };
  }

  /** Adds traces to memory, with pauses: an import must not delay a request. */
  async #takeAll(
    traces: readonly ExecutionTrace[],
  ): Promise<{ readonly withVectors: Promise<unknown> }> {
    const parts: Promise<unknown>[] = [];
    for (let start = 0; start < traces.length; start += TAKEN_AT_ONCE) {
      if (start > 0) await pause();
      if (this.#isClosed) break;
      parts.push(this.#take(traces.slice(start, start + TAKEN_AT_ONCE), { isNew: false }));
    }
    return { withVectors: Promise.all(parts) };
  }

  /**
   * Adds traces to memory. Resolves when their vectors are added, too. `isNew`: they do not come
   * from a store.
   */
  #take(
    traces: readonly ExecutionTrace[],
    { isNew }: { readonly isNew: boolean },
  ): Promise<unknown> {
    const fresh = this.#unknown(traces);
    for (const trace of fresh) {
      this.reliability.add(trace.calls);
      this.features.add(trace);
      if (trace.ok && trace.intent) this.words.add(pastIntent(trace, new Map()));
      if (this.words.has(trace.id)) this.#served += 1;
    }
    if (isNew) this.#tellAdded(fresh);
    this.#traces.add(fresh);
    const taken = this.#options.onTaken(fresh);
    // The caller reports a failure, and may begin to wait only after other work.
    taken.catch(() => {});
    return taken;
  }
}

function stopped(): PmlError {
  return new PmlError(
    'DAEMON_UNREACHABLE',
    'PML stopped before it stored all executions. Import them again: it leaves out those it knows.',
  );
}
