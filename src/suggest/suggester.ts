import { type FeatureMemory, Hypergraph } from '../attention/index.js';
import { type ExecutionTrace, type Logger, messageOf, type ToolId } from '../core/index.js';
import type { KnowledgeGraph } from '../graph/index.js';
import { oneLessonAtATime } from '../learning/index.js';
import type { BindingMemory } from '../planner/index.js';
import { membersConfidence } from './confidence.js';
import { type Evidence, evidenceOf, evidenceWithout, type Prospects } from './evidence.js';
import { type DescribedModels, describeModels } from './learn/describe-models.js';
import { type LearnedModels, learnModels } from './learn/learn-models.js';
import { ModelKeeper, type PlanModelStore } from './learn/model-keeper.js';
import { DEFAULT_MODELS, type Models } from './learn/models.js';
import type { ReplayPorts } from './learn/replay-plans.js';
import { withWholes } from './members/whole-capabilities.js';
import type { SessionMoment } from './next/moment.js';
import { type NextStep, predictNext } from './next/predict-next.js';
import { planEdge } from './past/plan-edge.js';
import { PlanMemory } from './past/plan-memory.js';
import { type PlanOutline, outlinePlan } from './plan-outline.js';

export interface SuggesterPorts extends ReplayPorts {
  readonly graph: KnowledgeGraph;
  readonly pairs: BindingMemory;
  readonly weigh: (intent: string) => Promise<Prospects>;
  /** All remembered executions, oldest first. */
  readonly traces: () => Iterable<ExecutionTrace>;
  readonly log: Logger;
  /** The weights without own experience. Default: the shipped weights. */
  readonly shipped?: Models;
  /** Per-tool features of the traces. The component that stores the traces updates them. */
  readonly features?: FeatureMemory;
  /** The embedding space that signals of meaning come from. Default: none. */
  readonly space?: () => string | undefined;
}

/** A plan for an intent, with all it is based on. */
export interface Suggestion extends PlanOutline {
  /** How likely the members are exactly the wanted tools. `planConfidence` adds the arguments. */
  readonly confidence: number;
  readonly evidence: Evidence;
}

export interface SuggesterStatus {
  readonly remembered: number;
  /** Missing while PML uses the shipped weights. */
  readonly learned?: Omit<LearnedModels, 'models'>;
  /** The user turned the attention heads off. */
  readonly isAttentionOff?: true;
  /** PML is learning in the background now. */
  readonly isLearning?: true;
}

/**
 * PML learns again after this many new requests, or after this share of all requests. Calls
 * without an intent do not count: a client that only calls tools teaches nothing here.
 */
const FRESH_LEAST = 20;
const FRESH_SHARE = 0.2;

/** Suggests whole plans and next steps, and learns from executions how to. */
export class Suggester implements AsyncDisposable {
  readonly #ports: SuggesterPorts;
  readonly #runs = new Hypergraph();
  readonly #plans = new PlanMemory({
    onCounted: (plan, by) => {
      const edge = planEdge(plan);
      if (edge) this.#runs[by > 0 ? 'add' : 'remove'](edge);
    },
  });
  readonly #keeper: ModelKeeper;
  #learnedFrom = 0;
  /** Whether the last learning included attention heads. */
  #hadHeads = false;
  #learning: Promise<void> | undefined;
  #isClosed = false;

  constructor(ports: SuggesterPorts, keeper?: ModelKeeper) {
    this.#ports = ports;
    this.#keeper =
      keeper ??
      new ModelKeeper({
        shipped: ports.shipped ?? DEFAULT_MODELS,
        space: ports.space ?? (() => undefined),
        headWeights: () => ports.headPrior?.()?.weights.length ?? 0,
        now: () => new Date(ports.now()),
        log: ports.log,
      });
  }

  /** Loads what the previous process learned, and stores what is learned from now on. */
  async attach(store: PlanModelStore): Promise<void> {
    try {
      await this.#keeper.attach(store);
    } catch (error) {
      this.#ports.log.warn('weights of plans not loaded', { error: messageOf(error) });
    }
    const { learned, from } = this.#keeper.used;
    if (!learned) return;
    this.#learnedFrom = from;
    this.#hadHeads = !this.#isAttentionOff;
  }

  /** Suggestions from another memory, with the weights that this one learns. */
  sharing(ports: SuggesterPorts): Suggester {
    return new Suggester(ports, this.#keeper);
  }

  /** What a client made of a suggested plan. If plans get worse, PML goes back to earlier weights. */
  observe(...judged: Parameters<ModelKeeper['observe']>): void {
    this.#keeper.observe(...judged);
  }

  get status(): SuggesterStatus {
    const { models: _, ...learned } = this.#keeper.used.learned ?? {};
    return {
      remembered: this.#plans.size,
      ...('examples' in learned && { learned }),
      ...(this.#ports.headPrior && this.#isAttentionOff && { isAttentionOff: true }),
      ...(this.#learning && { isLearning: true }),
    };
  }

  /** The weights in use. */
  get weights(): DescribedModels {
    return describeModels(this.#keeper.used.models);
  }

  remember(traces: readonly ExecutionTrace[]): void {
    for (const trace of traces) this.#plans.add(trace);
  }

  /** The plan an intent most likely wants. */
  async suggest(intent: string): Promise<Suggestion> {
    return this.#suggested(await this.#evidence(intent));
  }

  /** The suggestion without tools that do not serve the intent. Other tools may replace them. */
  suggestWithout(
    { evidence }: Suggestion,
    unfit: ReadonlyMap<ToolId, readonly ToolId[]>,
  ): Suggestion {
    return this.#suggested(evidenceWithout(evidence, unfit));
  }

  #suggested(evidence: Evidence): Suggestion {
    const { plannable } = this.#ports;
    const models = this.#usable;
    const shape = outlinePlan(evidence, { models, plannable });
    // Replacing parts by a capability does not change the confidence of the plan.
    const confidence = membersConfidence(shape, evidence, models);
    return { ...withWholes(shape, evidence), confidence, evidence };
  }

  /** What comes next after `done`, in the order it was done; likeliest first. */
  async next(
    intent: string,
    done: readonly ToolId[],
    moment?: SessionMoment,
  ): Promise<readonly NextStep[]> {
    const evidence = await this.#evidence(intent);
    const { serverTools } = this.#ports;
    const { next: weights, members, features } = this.#usable;
    return predictNext(done, evidence, {
      weights,
      members,
      serverTools,
      moment,
      ...(features?.next && { features: features.next }),
    });
  }

  /** Learns in the background when there is enough new experience. */
  considerLearning(): void {
    const { requests, size } = this.#plans;
    const fresh = requests - this.#learnedFrom;
    const isEnough = fresh >= Math.max(FRESH_LEAST, Math.min(requests, size) * FRESH_SHARE);
    // Weights learned with heads are useless without them, and vice versa.
    const isOther =
      this.#keeper.used.learned !== undefined && this.#hadHeads === this.#isAttentionOff;
    if (!(isEnough || isOther) || this.#learning || this.#isClosed) return;
    this.#learning = this.learn()
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#ports.log.warn('not learned how to plan', { error: messageOf(error) });
      })
      .finally(() => {
        this.#learning = undefined;
        // Requests that arrived meanwhile must not wait for the next execution.
        this.considerLearning();
      });
  }

  /** Learns from everything remembered, now. */
  async learn(): Promise<void> {
    const pause = async () => {
      await this.#ports.pause();
      if (this.#isClosed) throw new Error('closed');
    };
    const learned = await oneLessonAtATime(() => {
      // Requests that came while another lesson ran are part of this one.
      this.#learnedFrom = this.#plans.requests;
      this.#hadHeads = !this.#isAttentionOff;
      return learnModels(this.#ports.traces(), { ...this.#ports, pause });
    });
    await this.#keeper.take(learned, Math.min(this.#learnedFrom, this.#plans.size));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#learning;
  }

  get #isAttentionOff(): boolean {
    return !this.#ports.headPrior?.();
  }

  /**
   * Weights learned with heads are useless without them. If the user turned the heads off, PML uses
   * the shipped weights until it has learned again.
   */
  get #usable(): Models {
    const { models } = this.#keeper.used;
    if (!models.attention || !this.#isAttentionOff) return models;
    return this.#ports.shipped ?? DEFAULT_MODELS;
  }

  async #evidence(intent: string): Promise<Evidence> {
    const { graph, pairs, features } = this.#ports;
    const prospects = await this.#ports.weigh(intent);
    const plans = this.#plans;
    const runs = this.#runs;
    const known = { graph, pairs, plans, runs, metrics: this.#ports.metrics() };
    const knowledge = { ...known, ...(features && { features }) };
    const evidence = evidenceOf(intent, prospects, knowledge, this.#ports);
    const { attention } = this.#usable;
    return attention ? { ...evidence, attention } : evidence;
  }
}
