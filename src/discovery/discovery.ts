import {
  type AlgorithmTrace,
  type EmbeddingStore,
  type ExecutionTrace,
  type ExperienceStore,
  type GraphOf,
  type Logger,
  messageOf,
  type RankingStore,
  type ToolId,
} from '../core/index.js';
import {
  type Evidence,
  type GatherOptions,
  gatherSignals,
  IntentMemory,
  namedSignals,
  type Question,
  rank,
  type RankedTool,
  readable,
  Reliability,
  type SessionKnowledge,
  type SimilarIntent,
  splitNeeds,
} from '../ranking/index.js';
import { createToolIndex, type ToolFilter, type ToolIndex } from '../search/index.js';
import { compareTexts, type Similarity } from './compare-texts.js';
import { DecisionLog } from './decision-log.js';
import { PlanJudge, stepsOf } from './judge-plans.js';
import { Learner } from './learner.js';
import { pastIntent, workedOf } from './past-intent.js';
import { replayIntents } from './replay.js';
import { type Searchable, SemanticIndex } from './semantic-index.js';
import {
  attribute,
  calledBefore,
  type Execution,
  extendTrail,
  NO_TRAIL,
  type Shown,
  type Trail,
  withCalls,
} from './trail.js';
import { type EmbedderState, type LoadableEmbedder, VectorSource } from './vector-source.js';
import { withPatience } from './with-patience.js';

export interface DiscoveryStores {
  readonly embeddings: EmbeddingStore;
  readonly experience: ExperienceStore;
  readonly ranking: RankingStore;
}

export interface DiscoveryOptions {
  readonly log: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Hears of every execution that is taken into memory. */
  readonly onRemembered?: (traces: readonly ExecutionTrace[]) => void;
  /** What executions add to the graph, which is stored with them. Default: nothing. */
  readonly graphOf?: GraphOf;
  /**
   * Hears of every execution that is new: those the store did not have yet, or, where there is no
   * store or it fails, those that are taken into memory.
   */
  readonly onAdded?: (traces: readonly ExecutionTrace[]) => void;
  /** Whether `use` or `useWordsOnly` is going to be called, as soon as the store is open. */
  readonly isModelComing?: boolean;
  /** Hides what must not be kept, such as the secrets of the configuration. Default: nothing. */
  readonly mask?: (text: string) => string;
}

export interface WeighOptions {
  readonly filter?: ToolFilter;
  /** Of the client that asks: what it called just before counts too. */
  readonly trail?: Trail;
}

export interface RankOptions extends WeighOptions {
  /** How many are going to be shown. */
  readonly shown: number;
}

/** What speaks for which tools. */
export interface Prospects {
  /** Best first. */
  readonly tools: readonly RankedTool[];
  /** Past requests that are like it, most alike first, by the ids of their executions. */
  readonly similar: readonly SimilarIntent[];
  /** How far the nearest of them can be trusted to want the same, from 0 to 1. */
  readonly trust: number;
  /** Whether meaning was compared, or words alone. */
  readonly byMeaning: boolean;
}

export interface Ranking extends Prospects {
  /** Of the decision, for `Trail`. */
  readonly id: string;
  /** Of the model that weighed it. */
  readonly model: string;
  /** How many of the tools are going to be shown. */
  readonly shown: number;
}

/** A decision that was made with what is weighed here. */
export type MadeDecision = Omit<AlgorithmTrace, 'id' | 'at' | 'outcome'>;

export interface DiscoveryStatus {
  /** Missing when no model is configured. */
  readonly space?: string;
  readonly state: EmbedderState | { readonly state: 'none' };
  readonly tools: number;
  readonly withVectors: number;
  /** Vectors still to be made. */
  readonly waiting: number;
  readonly remembered: number;
  /** Texts embedded in the background since the start. */
  readonly made: { readonly texts: number; readonly ms: number };
  readonly ranking: {
    readonly kind: string;
    readonly metric: object;
    readonly weights: Readonly<Record<string, number>>;
  };
  readonly error?: string;
}

/** Candidates kept with each decision. */
const KEPT_CANDIDATES = 20;
const MOST_REMEMBERED = 20_000;
/** Under a flood, calls that nobody asked for by an intent only count for their tool. */
const MOST_FRESH = 1_000;
const FLUSH_MS = 1_000;
const TAKEN_AT_ONCE = 100;
/** A question that gets no vector in this time is answered by words. */
const PATIENCE_MS = 1_500;

/** Finds tools for intents, remembers what served them, and learns from it. */
export class Discovery implements AsyncDisposable {
  readonly index: ToolIndex = createToolIndex();
  readonly #options: DiscoveryOptions;
  readonly #reliability = new Reliability();
  #traces: ExecutionTrace[] = [];
  #known = new Set<string>();
  /** Past requests by their words, for when there are no vectors. */
  #words = new IntentMemory({ dimension: 1, capacity: MOST_REMEMBERED });
  #stores: DiscoveryStores | undefined;
  #searchable: Searchable = { tools: new Map(), servers: new Map() };
  #session: SessionKnowledge | undefined;
  #semantic: SemanticIndex | undefined;
  /** Takes the place of `#semantic` when it holds as much. */
  #next: SemanticIndex | undefined;
  #decisions: DecisionLog;
  readonly #plans = new PlanJudge();
  #learner: Learner;
  #modelError: string | undefined;
  #isWarmUpWanted = false;
  /** Whether it is known with what to search. */
  #tellModelChosen = () => {};
  readonly #modelChosen = new Promise<void>((resolve) => {
    this.#tellModelChosen = resolve;
  });
  #patienceEnds: number | undefined;
  /** Executions that are not remembered yet. */
  readonly #fresh: ExecutionTrace[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  /** The experience of earlier runs on its way into memory. */
  #loading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#decisions = new DecisionLog({ store: undefined, log: options.log });
    this.#learner = this.#createLearner();
  }

  /** Takes up what earlier runs left, once the store is open, and stores what came before. */
  async attach(stores: DiscoveryStores): Promise<void> {
    const early = this.#traces;
    this.#stores = stores;
    this.#decisions = new DecisionLog({ store: stores.ranking, log: this.#options.log });
    await this.#learner[Symbol.asyncDispose]();
    this.#learner = this.#createLearner();
    await this.#learner.load();
    // Not waited for: questions are answered with what is there.
    const stored = await stores.experience.load({ limit: MOST_REMEMBERED });
    this.#loading = this.#takeAll(stored, { isNew: false }).catch((error: unknown) =>
      this.#options.log.warn('earlier experience not taken up', { error: messageOf(error) }),
    );
    if (early.length > 0) await stores.experience.add(early, this.#graphOf);
  }

  /** Searches without a model, because none is wanted or for the reason given. */
  async useWordsOnly(error?: string): Promise<void> {
    this.#tellModelChosen();
    const semantic = [this.#semantic, this.#next];
    this.#semantic = undefined;
    this.#next = undefined;
    this.#modelError = error;
    for (const one of semantic) await one?.[Symbol.asyncDispose]();
  }

  /**
   * Searches by meaning with this model from now on. The model before serves until the new one has
   * caught up.
   */
  async use(
    embedder: LoadableEmbedder,
    store: EmbeddingStore | undefined = this.#stores?.embeddings,
  ): Promise<void> {
    if (this.#isClosed) return embedder[Symbol.asyncDispose]();
    this.#modelError = undefined;
    const { log } = this.#options;
    const semantic = new SemanticIndex(new VectorSource({ embedder, store, log }), log);
    const caughtUp = Promise.all([
      semantic.sync(this.#searchable),
      semantic.remember(this.#traces),
    ]);
    if (!this.#semantic) {
      this.#semantic = semantic;
      this.#tellModelChosen();
      this.#warmUp();
      void caughtUp.then(() => this.#considerLearning());
      return;
    }
    const before = this.#next;
    this.#next = semantic;
    void caughtUp.then(() => this.#switchTo(semantic));
    await before?.[Symbol.asyncDispose]();
  }

  /** The tools there are now. Only what changed is indexed again. */
  sync(searchable: Searchable): void {
    const before = this.#searchable.tools;
    this.#searchable = searchable;
    for (const id of before.keys()) if (!searchable.tools.has(id)) this.index.remove(id);
    for (const [id, tool] of searchable.tools) {
      if (before.get(id)?.hash !== tool.hash) this.index.upsert(tool);
    }
    void this.#semantic?.sync(searchable);
    this.#warmUp();
    const caughtUp = this.#next;
    void caughtUp?.sync(searchable).then(() => this.#switchTo(caughtUp));
  }

  /** Loads the model as soon as there is one, so that the next question need not do without. */
  warmUp(): void {
    this.#isWarmUpWanted = true;
    this.#warmUp();
  }

  /**
   * Waits until questions are answered by meaning and with all that is remembered: right after a start
   * a plan would be made of words alone. The time runs once for everybody, so that a model that does
   * not load delays at most the first questions.
   */
  async prepared(patienceMs: number): Promise<void> {
    const now = this.#options.now().getTime();
    this.#patienceEnds ??= now + patienceMs;
    const left = this.#patienceEnds - now;
    if (left > 0) await withPatience(this.#preparation(), left);
  }

  async #preparation(): Promise<void> {
    await this.#loading;
    if (this.#options.isModelComing) await this.#modelChosen;
    this.warmUp();
    const semantic = this.#semantic;
    if (!semantic || this.#searchable.tools.size === 0) return;
    // Why it did not load is told by who loads it.
    const isLoaded = await semantic.source.warmUp().then(
      () => true,
      () => false,
    );
    if (isLoaded) await semantic.settled();
  }

  #warmUp(): void {
    if (!this.#isWarmUpWanted || this.#searchable.tools.size === 0) return;
    this.#semantic?.source.warmUp().catch((error: unknown) =>
      this.#options.log.warn('search by words only: the model did not load', {
        error: messageOf(error),
      }),
    );
  }

  /** What speaks for which tools, and the past requests it is like. Leaves no trace. */
  async weigh(intent: string, { filter, trail }: WeighOptions = {}): Promise<Prospects> {
    const { question, semantic } = await this.#question(intent);
    const called = trail ? workedOf(calledBefore(trail, this.#options.now().getTime())) : [];
    return this.#weighed({ ...question, called }, semantic, filter ? { filter } : {});
  }

  /** The same for a request of the past, as if it and its group had never been. */
  weighAgain(id: string): Prospects | undefined {
    const semantic = this.#semantic;
    const { memory } = this.#evidence(semantic);
    const intent = memory.get(id);
    if (!intent) return undefined;
    // The graph knows what came after the calls before it: it would tell itself.
    const question = { ...intent, called: [] };
    return this.#weighed(question, semantic, { withoutGroup: intent.group });
  }

  async rank(intent: string, { shown, ...options }: RankOptions): Promise<Ranking> {
    const prospects = await this.weigh(intent, options);
    const id = this.#options.newId();
    const model = this.#learner.active.id;
    this.#decisions.add(this.#decision({ id, model, intent, tools: prospects.tools, shown }));
    return { ...prospects, id, model, shown };
  }

  /** Remembers what a client was shown. */
  shown(trail: Trail, intent: string, { id, model, tools, shown }: Ranking): Trail {
    const ids = tools.slice(0, shown).map(({ tool }) => tool.id);
    return extendTrail(trail, {
      id,
      algorithm: 'discover',
      model,
      intent: this.#keepable(intent),
      at: this.#options.now(),
      tools: ids,
    });
  }

  /** Records a decision behind the request. What it gives goes into the trail of whoever was told. */
  decided(made: MadeDecision, after?: Shown['after']): Shown {
    const { algorithm, model, shown } = made;
    const [id, at] = [this.#options.newId(), this.#options.now()];
    const intent = this.#keepable(made.intent);
    const candidates = made.candidates.slice(0, Math.max(shown, KEPT_CANDIDATES));
    this.#decisions.add({ ...made, id, at, intent, candidates });
    const ids = candidates.map(({ tool }) => tool);
    const [tools, others] = [ids.slice(0, shown), ids.slice(shown)];
    return { id, algorithm, model, intent, at, tools, others, ...(after && { after }) };
  }

  /** Past decisions, newest first; undefined where nothing stores them. */
  async decisions(
    wanted: Parameters<RankingStore['traces']>[0],
  ): Promise<readonly AlgorithmTrace[] | undefined> {
    await this.#decisions.flush();
    return this.#stores?.ranking.traces(wanted);
  }

  /** An execution by its id or that of its run, as far as it is remembered. */
  async recall(id: string): Promise<ExecutionTrace | undefined> {
    await this.#loading;
    await this.#rememberFresh();
    return this.#traces.findLast((trace) => trace.id === id || trace.run === id);
  }

  /**
   * Remembers what a client did, and what it tells about earlier answers. Gives the trail with it.
   */
  executed(trail: Trail, execution: Omit<Execution, 'at'>): Trail {
    const dated = { ...execution, at: this.#options.now() };
    const { traces, outcomes } = attribute(trail, dated);
    for (const { decision, model, outcome } of outcomes) {
      this.#decisions.addOutcome(decision, outcome);
      this.#learner.observe(model, outcome.place);
    }
    for (const { decision, outcome } of this.#plans.judge(trail, dated)) {
      this.#decisions.addOutcome(decision, outcome);
    }
    // A run is remembered once, however often it is told of.
    for (const trace of traces) this.#keep({ ...trace, id: trace.run ?? this.#options.newId() });
    return withCalls(trail, stepsOf(execution.calls), dated.at);
  }

  /** Runs that ended while nobody could remember them; those that are known already do not count. */
  recover(
    runs: readonly { readonly trace: Omit<Execution, 'at'>; readonly startedAt: number }[],
  ): void {
    for (const { trace, startedAt } of runs) {
      const { traces } = attribute(NO_TRAIL, { ...trace, at: new Date(startedAt) });
      for (const one of traces) {
        if (one.run && !this.#known.has(one.run)) this.#keep({ ...one, id: one.run });
      }
    }
  }

  /** Counts from now on what goes with the calls a client just made, as far as it proves right. */
  useSession(session: SessionKnowledge): void {
    this.#session = session;
  }

  /** How near texts are in meaning, where the model is loaded and quick: one can do without. */
  async compare(texts: readonly string[]): Promise<Similarity | undefined> {
    return this.#semantic && compareTexts(this.#semantic.source, texts, this.#options.log);
  }

  /** Adds experience, wherever it comes from. Says how much of it is new. */
  async remember(traces: readonly ExecutionTrace[]): Promise<number> {
    const fresh = this.#unknown(traces);
    if (fresh.length === 0) return 0;
    const added = await this.#store(fresh);
    const { withVectors } = await this.#takeAll(fresh, { isNew: added === undefined });
    void withVectors.then(() => this.#considerLearning());
    return added ?? fresh.length;
  }

  /** Learns from everything remembered, now. */
  async learn(): Promise<void> {
    await this.settled();
    await this.#learner.learn(this.#remembered);
  }

  /** Resolves when everything that is known is indexed. */
  async settled(): Promise<void> {
    await this.#loading;
    await this.#rememberFresh();
    await this.#semantic?.settled();
    await this.#next?.settled();
    await this.#learner.settled();
  }

  /** What is remembered, oldest first. */
  get traces(): readonly ExecutionTrace[] {
    return this.#traces;
  }

  get status(): DiscoveryStatus {
    const semantic = this.#next ?? this.#semantic;
    const { kind, metric, model } = this.#learner.active;
    const error = this.#modelError ?? semantic?.error;
    return {
      ...(semantic && { space: semantic.source.space.id }),
      state: semantic?.source.state ?? { state: 'none' },
      tools: this.#searchable.tools.size,
      withVectors: semantic?.tools.size ?? 0,
      waiting: semantic?.waiting ?? 0,
      remembered: this.#remembered,
      made: semantic?.source.made ?? { texts: 0, ms: 0 },
      ranking: { kind, metric, weights: namedSignals(model.weights) },
      ...(error && { error }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rememberFresh();
    this.#isClosed = true;
    const parts = [this.#semantic, this.#next, this.#learner].flatMap((part) => part ?? []);
    const ends = await Promise.allSettled(parts.map((part) => part[Symbol.asyncDispose]()));
    for (const end of ends) {
      if (end.status === 'rejected') this.#warnOfEnd(end.reason);
    }
    await this.#decisions[Symbol.asyncDispose]();
  }

  get #graphOf(): GraphOf {
    return this.#options.graphOf ?? (() => ({ nodes: [], edges: [] }));
  }

  get #remembered(): number {
    return this.#words.size;
  }

  /** Behind the calls and in batches: being remembered must cost a call nothing. */
  #keep(trace: ExecutionTrace): void {
    const isLone = !trace.intent && trace.calls.length === 1;
    if (this.#fresh.length >= MOST_FRESH && isLone) return this.#reliability.add(trace.calls);
    this.#fresh.push(trace);
    this.#flushTimer ??= setTimeout(() => void this.#rememberFresh(), FLUSH_MS).unref();
  }

  async #rememberFresh(): Promise<void> {
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

  /** Says how many the store did not have; undefined where there is no store. */
  async #store(traces: readonly ExecutionTrace[]): Promise<number | undefined> {
    if (!this.#stores) return undefined;
    const ids = new Set(await this.#stores.experience.add(traces, this.#graphOf));
    this.#tellAdded(traces.filter(({ id }) => ids.has(id)));
    return ids.size;
  }

  #tellAdded(traces: readonly ExecutionTrace[]): void {
    if (traces.length > 0) this.#options.onAdded?.(traces);
  }

  /** Each once, with what can be read of its intent: encoded data helps nobody and may be anything. */
  #unknown(traces: readonly ExecutionTrace[]): readonly ExecutionTrace[] {
    const byId = new Map(traces.map((trace) => [trace.id, trace]));
    return [...byId.values()]
      .filter(({ id }) => !this.#known.has(id))
      .map((trace) => ({ ...trace, intent: this.#keepable(trace.intent) }));
  }

  /** Into memory, with pauses: an import must not hold up a question. */
  async #takeAll(
    traces: readonly ExecutionTrace[],
    { isNew }: { readonly isNew: boolean },
  ): Promise<{ readonly withVectors: Promise<unknown> }> {
    const parts: Promise<unknown>[] = [];
    for (let start = 0; start < traces.length; start += TAKEN_AT_ONCE) {
      if (start > 0) await pause();
      if (this.#isClosed) break;
      parts.push(this.#take(traces.slice(start, start + TAKEN_AT_ONCE), { isNew }));
    }
    return { withVectors: Promise.all(parts) };
  }

  /** Into memory. Resolves when the vectors are there as well. `isNew`: no store told of them. */
  #take(
    traces: readonly ExecutionTrace[],
    { isNew }: { readonly isNew: boolean },
  ): Promise<unknown> {
    const fresh = this.#unknown(traces);
    for (const trace of fresh) {
      this.#known.add(trace.id);
      this.#reliability.add(trace.calls);
      if (trace.ok && trace.intent) this.#words.add(pastIntent(trace, new Map()));
    }
    this.#options.onRemembered?.(fresh);
    if (isNew) this.#tellAdded(fresh);
    const all = [...this.#traces, ...fresh];
    for (const { id } of all.slice(0, -MOST_REMEMBERED)) this.#known.delete(id);
    this.#traces = all.slice(-MOST_REMEMBERED);
    return Promise.all([this.#semantic?.remember(fresh), this.#next?.remember(fresh)]);
  }

  /** What may be kept of a request. */
  #keepable(intent: string): string {
    return intent && readable(this.#options.mask?.(intent) ?? intent);
  }

  #considerLearning(): void {
    if (!this.#isClosed) this.#learner.consider(this.#remembered);
  }

  /** A model that could not embed everything does not take over; the next list tries again. */
  async #switchTo(semantic: SemanticIndex): Promise<void> {
    if (this.#isClosed || this.#next !== semantic || semantic.isIncomplete) return;
    const before = this.#semantic;
    this.#semantic = semantic;
    this.#next = undefined;
    this.#options.log.info('searching with another model', { space: semantic.source.space.id });
    await before?.[Symbol.asyncDispose]().catch((error: unknown) => this.#warnOfEnd(error));
    // What is being learned now was seen with the eyes of the model before.
    await this.#learner.settled();
    if (!this.#isClosed) await this.#learner.learn(this.#remembered);
  }

  #warnOfEnd(error: unknown): void {
    this.#options.log.warn('a model did not end well', { error: messageOf(error) });
  }

  /** What questions of this space are weighed against; words alone where there is none. */
  #evidence(semantic: SemanticIndex | undefined): Evidence & { readonly memory: IntentMemory } {
    const session = this.#session;
    const common = {
      index: this.index,
      reliability: this.#reliability,
      ...(session && { session: (called: readonly ToolId[]) => session.view(called) }),
    };
    if (!semantic) return { ...common, memory: this.#words };
    const { tools, servers, reference, memory } = semantic;
    return { ...common, tools, servers, reference, memory };
  }

  #weighed(
    question: Question,
    semantic: SemanticIndex | undefined,
    options: GatherOptions,
  ): Prospects {
    const { candidates, similar, trust } = gatherSignals(
      question,
      this.#evidence(semantic),
      options,
    );
    const byMeaning = semantic !== undefined;
    const { model } = this.#learner.active;
    const tools = rank(candidates, model, { byMeaning, tools: this.index.size });
    return { tools, similar, trust, byMeaning };
  }

  /** With the space its vectors are of, which may not be the one in use when they are there. */
  async #question(intent: string): Promise<{ question: Question; semantic?: SemanticIndex }> {
    const text = readable(intent);
    const needs = splitNeeds(intent);
    const plain = { question: { text, needs: needs.map((need) => ({ text: need })) } };
    const semantic = this.#semantic;
    if (!semantic) return plain;
    if (!semantic.source.isReady) {
      this.warmUp();
      return plain;
    }
    try {
      const vectors = await withPatience(semantic.source.question([text, ...needs]), PATIENCE_MS);
      if (!vectors) return plain;
      const parts = needs.map((need, at) => ({ text: need, vector: vectors[at + 1]! }));
      return { question: { text, vector: vectors[0]!, needs: parts }, semantic };
    } catch (error) {
      this.#options.log.warn('searched by words only', { error: messageOf(error) });
      return plain;
    }
  }

  #decision(made: {
    id: string;
    model: string;
    intent: string;
    tools: readonly RankedTool[];
    shown: number;
  }): AlgorithmTrace {
    const { id, model, intent, tools, shown } = made;
    return {
      id,
      at: this.#options.now(),
      algorithm: 'discover',
      intent: this.#keepable(intent),
      model,
      weights: namedSignals(this.#learner.active.model.weights),
      candidates: tools.slice(0, KEPT_CANDIDATES).map(({ tool, probability, signals }) => ({
        tool: tool.id,
        score: probability,
        signals: namedSignals(signals),
      })),
      shown: Math.min(shown, tools.length),
    };
  }

  #createLearner(): Learner {
    const { log, now, newId } = this.#options;
    return new Learner({
      store: this.#stores?.ranking,
      log,
      now,
      newId,
      pause,
      toolCount: () => this.index.size,
      replay: (paused) =>
        replayIntents(this.#evidence(this.#semantic), {
          pause: paused,
          traces: this.#traces,
          session: this.#session,
        }),
    });
  }
}

/** Lets everybody else go first. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
