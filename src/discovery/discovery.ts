import type {
  AlgorithmTrace,
  EmbeddingStore,
  ExecutionTrace,
  ExperienceStore,
  GraphOf,
  Logger,
  RankingStore,
  ToolId,
} from '../core/index.js';
import {
  type Evidence,
  type GatherOptions,
  gatherSignals,
  type IntentMemory,
  namedSignals,
  type Question,
  rank,
  type RankedTool,
  RequestMemory,
  type SessionKnowledge,
  type SimilarIntent,
} from '../ranking/index.js';
import { createToolIndex, type ToolFilter, type ToolIndex } from '../search/index.js';
import { readable } from '../words/index.js';
import { compareTexts, type Similarity } from './compare-texts.js';
import { DecisionLog } from './decision-log.js';
import { Experience, MOST_REMEMBERED } from './experience.js';
import { PlanJudge, stepsOf } from './judge-plans.js';
import { Learner } from './learner.js';
import { Meaning } from './meaning.js';
import { workedOf } from './past-intent.js';
import { pause } from './pause.js';
import { replayIntents } from './replay.js';
import type { Searchable, SemanticIndex } from './semantic-index.js';
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
import type { EmbedderState, LoadableEmbedder } from './vector-source.js';

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

/** Finds tools for intents, remembers what served them, and learns from it. */
export class Discovery implements AsyncDisposable {
  readonly index: ToolIndex = createToolIndex();
  readonly #options: DiscoveryOptions;
  readonly #requests = new RequestMemory({ capacity: MOST_REMEMBERED });
  readonly #experience: Experience;
  readonly #meaning: Meaning;
  #stores: DiscoveryStores | undefined;
  #searchable: Searchable = { tools: new Map(), servers: new Map() };
  #session: SessionKnowledge | undefined;
  #decisions: DecisionLog;
  readonly #plans = new PlanJudge();
  #learner: Learner;
  #isClosed = false;

  constructor(options: DiscoveryOptions) {
    const { log, now } = options;
    this.#options = options;
    this.#meaning = new Meaning({
      log,
      now,
      isModelComing: options.isModelComing ?? false,
      requests: this.#requests,
      onCaughtUp: () => this.#considerLearning(),
      onSwitched: () => this.#learnAgain(),
    });
    this.#experience = new Experience({
      requests: this.#requests,
      log,
      graphOf: options.graphOf ?? (() => ({ nodes: [], edges: [] })),
      keepable: (intent) => this.#keepable(intent),
      onTaken: (traces) => {
        options.onRemembered?.(traces);
        return this.#meaning.remember(traces);
      },
      onAdded: (traces) => options.onAdded?.(traces),
      onGrown: () => this.#considerLearning(),
    });
    this.#decisions = new DecisionLog({ store: undefined, log });
    this.#learner = this.#createLearner();
  }

  /** Takes up what earlier runs left, once the store is open, and stores what came before. */
  async attach(stores: DiscoveryStores): Promise<void> {
    this.#stores = stores;
    this.#decisions = new DecisionLog({ store: stores.ranking, log: this.#options.log });
    await this.#learner[Symbol.asyncDispose]();
    this.#learner = this.#createLearner();
    await this.#learner.load();
    await this.#experience.attach(stores.experience);
  }

  /** Searches without a model, because none is wanted or for the reason given. */
  useWordsOnly(error?: string): Promise<void> {
    return this.#meaning.useWordsOnly(error);
  }

  /**
   * Searches by meaning with this model from now on. The model before serves until the new one has
   * caught up.
   */
  use(
    embedder: LoadableEmbedder,
    store: EmbeddingStore | undefined = this.#stores?.embeddings,
  ): Promise<void> {
    return this.#meaning.use(embedder, store);
  }

  /** The tools there are now. Only what changed is indexed again. */
  sync(searchable: Searchable): void {
    const before = this.#searchable.tools;
    this.#searchable = searchable;
    for (const id of before.keys()) if (!searchable.tools.has(id)) this.index.remove(id);
    for (const [id, tool] of searchable.tools) {
      if (before.get(id)?.hash !== tool.hash) this.index.upsert(tool);
    }
    this.#meaning.sync(searchable);
  }

  /** Loads the model as soon as there is one, so that the next question need not do without. */
  warmUp(): void {
    this.#meaning.warmUp();
  }

  /** Waits, for so long at most, until answers are made by meaning and with all of the past. */
  prepared(patienceMs: number): Promise<void> {
    return this.#meaning.prepared(() => this.#experience.loaded(), patienceMs);
  }

  /** What speaks for which tools, and the past requests it is like. Leaves no trace. */
  async weigh(intent: string, { filter, trail }: WeighOptions = {}): Promise<Prospects> {
    const { question, semantic } = await this.#meaning.question(intent);
    const called = trail ? workedOf(calledBefore(trail, this.#options.now().getTime())) : [];
    return this.#weighed({ ...question, called }, semantic, filter ? { filter } : {});
  }

  /** The same for a request of the past, as if it and its group had never been. */
  weighAgain(id: string): Prospects | undefined {
    const semantic = this.#meaning.current;
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
  recall(id: string): Promise<ExecutionTrace | undefined> {
    return this.#experience.recall(id);
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
    for (const trace of traces) {
      this.#experience.keep({ ...trace, id: trace.run ?? this.#options.newId() });
    }
    return withCalls(trail, stepsOf(execution.calls), dated.at);
  }

  /** Runs that ended while nobody could remember them; those that are known already do not count. */
  recover(
    runs: readonly { readonly trace: Omit<Execution, 'at'>; readonly startedAt: number }[],
  ): void {
    for (const { trace, startedAt } of runs) {
      const { traces } = attribute(NO_TRAIL, { ...trace, at: new Date(startedAt) });
      for (const one of traces) {
        const { run } = one;
        if (run && !this.#experience.knows(run)) this.#experience.keep({ ...one, id: run });
      }
    }
  }

  /** Counts from now on what goes with the calls a client just made, as far as it proves right. */
  useSession(session: SessionKnowledge): void {
    this.#session = session;
  }

  /** How near texts are in meaning, where the model is loaded and quick: one can do without. */
  async compare(texts: readonly string[]): Promise<Similarity | undefined> {
    const { current } = this.#meaning;
    return current && compareTexts(current.source, texts, this.#options.log);
  }

  /** Adds experience, wherever it comes from. Says how much of it is new. */
  remember(traces: readonly ExecutionTrace[]): Promise<number> {
    return this.#experience.remember(traces);
  }

  /** Learns from everything remembered, now. */
  async learn(): Promise<void> {
    await this.settled();
    await this.#learner.learn(this.#remembered);
  }

  /** Resolves when everything that is known is indexed. */
  async settled(): Promise<void> {
    await this.#experience.settled();
    await this.#meaning.settled();
    await this.#learner.settled();
  }

  /** What is remembered, oldest first. */
  get traces(): Iterable<ExecutionTrace> {
    return this.#experience.traces;
  }

  /** An execution by its id, as far as it is remembered. */
  trace(id: string): ExecutionTrace | undefined {
    return this.#experience.find(id);
  }

  /** How many of everything there is a bound for, and what it takes. */
  get held(): Readonly<Record<string, number>> {
    const memory = this.#meaning.current?.memory;
    return {
      ...this.#experience.held,
      requests: this.#requests.size,
      requestVectors: memory?.vectorCount ?? 0,
      needVectors: memory?.needCount ?? 0,
    };
  }

  get status(): DiscoveryStatus {
    const semantic = this.#meaning.latest;
    const { kind, metric, model } = this.#learner.active;
    const { error } = this.#meaning;
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
    await this.#experience.close();
    this.#isClosed = true;
    await Promise.all([this.#meaning[Symbol.asyncDispose](), this.#learner[Symbol.asyncDispose]()]);
    await this.#decisions[Symbol.asyncDispose]();
  }

  get #remembered(): number {
    return this.#experience.words.size;
  }

  /** What may be kept of a request. */
  #keepable(intent: string): string {
    return intent && readable(this.#options.mask?.(intent) ?? intent);
  }

  #considerLearning(): void {
    if (!this.#isClosed) this.#learner.consider(this.#remembered);
  }

  /** What is being learned now was seen with the eyes of the model before. */
  async #learnAgain(): Promise<void> {
    await this.#learner.settled();
    if (!this.#isClosed) await this.#learner.learn(this.#remembered);
  }

  /** What questions of this space are weighed against; words alone where there is none. */
  #evidence(semantic: SemanticIndex | undefined): Evidence & { readonly memory: IntentMemory } {
    const session = this.#session;
    const common = {
      index: this.index,
      reliability: this.#experience.reliability,
      ...(session && { session: (called: readonly ToolId[]) => session.view(called) }),
    };
    if (!semantic) return { ...common, memory: this.#experience.words };
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
        replayIntents(this.#evidence(this.#meaning.current), {
          pause: paused,
          traces: this.#experience.traces,
          session: this.#session,
        }),
    });
  }
}
