import type { FeatureMemory } from '../attention/index.js';
import {
  type AlgorithmTrace,
  type EmbeddingStore,
  type ExecutionTrace,
  pause,
  type Principal,
  type RankingStore,
  type ToolId,
} from '../core/index.js';
import {
  type GatherOptions,
  namedSignals,
  type Question,
  RequestMemory,
} from '../ranking/index.js';
import { createToolIndex, type ToolIndex } from '../search/index.js';
import { readable } from '../words/index.js';
import { Decisions, KEPT_CANDIDATES, type MadeDecision } from './decisions/decisions.js';
import { planSteps } from './decisions/judge-plans.js';
import {
  attribute,
  calledBefore,
  type Execution,
  NO_TRAIL,
  type Shown,
  type Trail,
  withCalls,
} from './decisions/trail.js';
import type { DiscoveryOptions } from './discovery-options.js';
import type { DiscoveryStatus } from './discovery-status.js';
import type { DiscoveryStores } from './discovery-stores.js';
import { Learner } from './learn/learner.js';
import { checkTexts, replayWithVectors } from './learn/replay-with-vectors.js';
import type { ComparedTexts } from './meaning/compare-texts.js';
import { Meaning } from './meaning/meaning.js';
import type { NearTools } from './meaning/near-tools.js';
import type { Searchable, SemanticIndex } from './meaning/semantic-index.js';
import type { LoadableEmbedder } from './meaning/vector-source.js';
import { type ClientPast, clientPast, type RecoveredRun } from './past/client-past.js';
import { Experience, MOST_REMEMBERED } from './past/experience.js';
import { OwnedPasts } from './past/owned-pasts.js';
import { workedOf } from './past/past-intent.js';
import { weighingSources, type WeighingSources, weighQuestion } from './weigh-question.js';
import type { Ranking, WeighedTools, WeighOptions } from './weighed-tools.js';
import { WordIndexing } from './word-indexing.js';

/** Finds tools for intents, remembers what served them, and learns from it. */
export class Discovery implements AsyncDisposable {
  readonly index: ToolIndex = createToolIndex();
  readonly words = new WordIndexing(this.index);
  readonly #options: DiscoveryOptions;
  readonly #requests = new RequestMemory({ capacity: MOST_REMEMBERED });
  readonly #experience: Experience;
  readonly #owned: OwnedPasts;
  readonly #meaning: Meaning;
  #stores: DiscoveryStores | undefined;
  #searchable: Searchable = { tools: new Map(), servers: new Map() };
  readonly #decisions: Decisions;
  #learner: Learner;
  #isClosed = false;

  constructor(options: DiscoveryOptions) {
    const { log, now, newId } = options;
    this.#options = options;
    this.#meaning = new Meaning({
      log,
      now,
      isModelComing: options.isModelComing ?? false,
      isModelWanted: options.isModelWanted ?? true,
      requests: this.#requests,
      onCaughtUp: () => this.#considerLearning(),
      onSwitched: () => this.#learnAgain(),
    });
    const kept = {
      log,
      graphOf: options.graphOf ?? (() => ({ nodes: [], edges: [] })),
      keepable: (intent: string) => this.#keepable(intent),
      onAdded: options.onAdded ?? (() => {}),
    };
    this.#owned = new OwnedPasts(kept);
    this.#experience = new Experience({
      ...kept,
      requests: this.#requests,
      onTaken: (traces) => {
        options.onRemembered?.(traces);
        return this.#meaning.remember(traces);
      },
      onGrown: () => this.#considerLearning(),
    });
    this.#decisions = new Decisions({
      log,
      now,
      newId,
      keepable: (intent) => this.#keepable(intent),
      onCalled: (model, place) => this.#learner.observe(model, place),
      onPlanJudged: options.onPlanJudged,
    });
    this.#learner = this.#createLearner();
  }

  /** Loads what earlier processes stored, once the store is open, and stores what came before. */
  async attach(stores: DiscoveryStores): Promise<void> {
    this.#stores = stores;
    this.#decisions.attach(stores.ranking);
    await this.#learner[Symbol.asyncDispose]();
    this.#learner = this.#createLearner();
    await this.#learner.load();
    checkTexts(this.#learner.scorers, this.#searchable.tools.values());
    await this.#experience.attach(stores.experience);
    await this.#owned.attach(stores.experience);
  }

  /** The memory of a named client. It learns nothing from others, and others nothing from it. */
  ownedBy(...[owner, onTaken]: Parameters<OwnedPasts['of']>): ClientPast {
    return clientPast(this, this.#owned.of(owner, onTaken));
  }

  /** Lets go of memories of named clients beyond a limit; returns whose they were. */
  evictOwned(): readonly Principal[] {
    return this.#owned.evict();
  }

  /** Searches without a model, because none is configured or for the given reason. */
  useWordsOnly(error?: string): Promise<void> {
    return this.#meaning.useWordsOnly(error);
  }

  /**
   * Searches by meaning with this model from now on. The previous model serves until this one has
   * caught up.
   */
  use(
    embedder: LoadableEmbedder,
    store: EmbeddingStore | undefined = this.#stores?.embeddings,
  ): Promise<void> {
    return this.#meaning.use(embedder, store);
  }

  /** The current tools. Only changed ones are indexed again. */
  sync(searchable: Searchable): void {
    const before = this.#searchable.tools;
    this.#searchable = searchable;
    checkTexts(this.#learner.scorers, this.words.sync(before, searchable.tools));
    this.#meaning.sync(searchable);
  }

  /** Loads the model as soon as there is one, so that the next question can use it. */
  warmUp(): void {
    this.#meaning.warmUp();
  }

  /** Waits, up to a limit, until answers are made by meaning and with all of the past. */
  prepared(patienceMs: number, past = this.#experience): Promise<void> {
    return this.#meaning.prepared(() => past.loaded(), patienceMs);
  }

  /** The evidence for each tool, and the similar past requests. Leaves no trace. */
  async weigh(intent: string, { filter, trail, past }: WeighOptions = {}): Promise<WeighedTools> {
    const { question, semantic } = await this.#meaning.question(intent);
    const called = trail ? workedOf(calledBefore(trail, this.#options.now().getTime())) : [];
    return this.#weighed({ ...question, called }, semantic, filter ? { filter } : {}, past);
  }

  /** The tools nearest in meaning to a tool, among those that `accepts`; none without a model. */
  alike(tool: ToolId, accepts: (other: ToolId) => boolean): ReturnType<NearTools['among']> {
    return this.#meaning.current?.nearTools.among(tool, accepts) ?? [];
  }

  /** The same for a past request, as if it, its group and others with its words had never happened. */
  weighAgain(id: string, without: readonly string[] = []): WeighedTools | undefined {
    const semantic = this.#meaning.current;
    const { memory } = this.#sources(semantic);
    const intent = memory.get(id);
    if (!intent) return undefined;
    // The graph has learned what followed these calls: the answer would leak into the replay.
    const question = { ...intent, called: [] };
    const { group: withoutGroup } = intent;
    return this.#weighed(question, semantic, { withoutGroup, without, isReplay: true });
  }

  /** The same for a client that will see this many of the tools; the decision is recorded. */
  async rank(
    intent: string,
    { shown, ...options }: WeighOptions & { readonly shown: number },
  ): Promise<Ranking> {
    const weighed = await this.weigh(intent, options);
    const { id: model, model: used } = this.#learner.active;
    const { id } = this.#decisions.add({
      algorithm: 'discover',
      intent,
      model,
      weights: namedSignals(used.weights),
      candidates: weighed.tools.slice(0, KEPT_CANDIDATES).map(({ tool, probability, signals }) => ({
        tool: tool.id,
        score: probability,
        signals: namedSignals(signals),
      })),
      shown: Math.min(shown, weighed.tools.length),
    });
    return { ...weighed, id, model, shown };
  }

  /** Remembers what a client was shown. */
  shown(trail: Trail, intent: string, ranking: Ranking): Trail {
    return this.#decisions.extend(trail, intent, ranking);
  }

  /** Records a decision in the background. The result belongs into the trail of the asking client. */
  decided(made: MadeDecision, after?: Shown['after']): Shown {
    return this.#decisions.add(made, after);
  }

  /** Past decisions, newest first; undefined where nothing stores them. */
  decisions(
    wanted: Parameters<RankingStore['traces']>[0],
  ): Promise<readonly AlgorithmTrace[] | undefined> {
    return this.#decisions.list(wanted);
  }

  /** An execution by its id or that of its run, as far as it is remembered. */
  async recall(id: string): Promise<ExecutionTrace | undefined> {
    return (await this.#experience.recall(id)) ?? this.#owned.recall(id);
  }

  /** Remembers what a client did and how earlier answers turned out. Returns the extended trail. */
  executed(trail: Trail, execution: Omit<Execution, 'at'>, past = this.#experience): Trail {
    const dated = { ...execution, at: this.#options.now() };
    // PML remembers a run once, however often the run is reported.
    for (const trace of this.#decisions.judge(trail, dated)) {
      past.keep({ ...trace, id: trace.run ?? this.#options.newId() });
    }
    return withCalls(trail, planSteps(execution.calls), dated.at);
  }

  get isBusy(): boolean {
    return this.#experience.isBusy;
  }

  /** Remembers runs that ended while PML could not store them. Known runs do not count again. */
  recover(runs: readonly RecoveredRun[], past = this.#experience): void {
    for (const { trace, startedAt } of runs) {
      const { traces } = attribute(NO_TRAIL, { ...trace, at: new Date(startedAt) });
      for (const one of traces) {
        const { run } = one;
        if (run && !past.knows(run)) past.keep({ ...one, id: run });
      }
    }
  }

  /**
   * How near texts are in meaning, if a model is configured. Waits for the model and for the memory, at
   * most this long: a decision must not differ only because PML has just started.
   */
  async compare(texts: readonly string[], patienceMs: number): Promise<ComparedTexts> {
    const { log } = this.#options;
    return this.#meaning.compare(texts, { remembered: this.#experience.loaded(), patienceMs, log });
  }

  /** What traces show about each tool. */
  get features(): FeatureMemory {
    return this.#experience.features;
  }

  /** Adds experience from any source. Returns how much of it is new. */
  remember(traces: readonly ExecutionTrace[]): Promise<number> {
    return this.#experience.remember(traces);
  }

  /** Learns from everything remembered, now. */
  async learn(): Promise<void> {
    await this.settled();
    await this.#learner.learn(this.#experience.served);
  }

  /** Resolves when everything that is known is indexed. */
  async settled(): Promise<void> {
    await this.#experience.settled();
    await Promise.all([this.#meaning.settled(), this.#experience.grown()]);
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

  /** The size of everything that is bounded. */
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
      remembered: this.#experience.words.size,
      made: semantic?.source.made ?? { texts: 0, ms: 0 },
      ranking: { kind, metric, weights: namedSignals(model.weights) },
      vectors: this.#learner.vectors,
      ...(this.#learner.isLearning && { isLearning: true }),
      ...(error && { error }),
    };
  }

  /** Cancels learning under way and begins no more: it can be repeated. */
  readonly stopLearning = (): Promise<void> => this.#learner[Symbol.asyncDispose]();

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#experience.close(), this.#owned.close()]);
    this.#isClosed = true;
    await Promise.all([this.#meaning[Symbol.asyncDispose](), this.#learner[Symbol.asyncDispose]()]);
    await this.#decisions[Symbol.asyncDispose]();
  }

  /** What may be kept of a request. */
  #keepable(intent: string): string {
    return intent && readable(this.#options.mask?.(intent) ?? intent);
  }

  #considerLearning(): void {
    if (!this.#isClosed) this.#learner.consider(this.#experience.served);
  }

  /** Learning under way still uses the previous model, so it is repeated. */
  async #learnAgain(): Promise<void> {
    await this.#learner.settled();
    if (!this.#isClosed) await this.#learner.learn(this.#experience.served);
  }

  /** The sources that weigh questions of this space; words alone without a space. */
  #sources(semantic: SemanticIndex | undefined, experience = this.#experience): WeighingSources {
    const { session } = this.#options;
    const isOwned = experience !== this.#experience;
    return weighingSources(semantic, { index: this.index, experience, session, isOwned });
  }

  #weighed(
    question: Question,
    semantic: SemanticIndex | undefined,
    options: GatherOptions & { readonly isReplay?: boolean },
    past = this.#experience,
  ): WeighedTools {
    const { active } = this.#learner;
    const now = this.#options.now().getTime();
    // A past request must not see itself through the traces of its own run.
    const isPast = options.withoutGroup !== undefined;
    const traces = active.model.features && !isPast ? { memory: past.features, now } : undefined;
    const sources = { ...this.#sources(semantic, past), ...(traces && { traces }) };
    return weighQuestion(question, sources, {
      ...options,
      active,
      space: semantic?.source.space.id,
    });
  }

  #createLearner(): Learner {
    const { log, now, newId, trainVectors } = this.#options;
    return new Learner({
      store: this.#stores?.ranking,
      log,
      now,
      newId,
      pause,
      toolCount: () => this.index.size,
      hasTrainer: trainVectors !== undefined,
      onTaken: ({ vectors }) =>
        checkTexts(vectors ? [vectors] : [], this.#searchable.tools.values()),
      replay: (paused, wantsVectors) => {
        const semantic = this.#meaning.current;
        return replayWithVectors(this.#sources(semantic), {
          pause: paused,
          traces: this.#experience.traces,
          session: this.#options.session,
          tracedAt: now().getTime(),
          semantic,
          tools: this.#searchable.tools,
          train: wantsVectors ? trainVectors : undefined,
        });
      },
    });
  }
}
