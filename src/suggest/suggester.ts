import { type ExecutionTrace, type Logger, messageOf, type ToolId } from '../core/index.js';
import type { KnowledgeGraph } from '../graph/index.js';
import { weigh, sigmoid } from '../learning/index.js';
import type { BindingMemory } from '../planner/index.js';
import { confidenceSignals } from './confidence.js';
import { type Evidence, evidenceOf, type Prospects } from './evidence.js';
import { type DescribedModels, describeModels } from './learn/describe-models.js';
import { type LearnedModels, learnModels } from './learn/learn-models.js';
import { DEFAULT_MODELS, type Models } from './learn/models.js';
import type { ReplayPorts } from './learn/replay-plans.js';
import { withWholes } from './members/whole-capabilities.js';
import { PlanMemory } from './past/plan-memory.js';
import { type PlanOutline, outlinePlan } from './plan-outline.js';
import { type NextStep, predictNext } from './predict-next.js';

export interface SuggesterPorts extends ReplayPorts {
  readonly graph: KnowledgeGraph;
  readonly pairs: BindingMemory;
  readonly weigh: (intent: string) => Promise<Prospects>;
  /** All executions that are remembered, oldest first. */
  readonly traces: () => Iterable<ExecutionTrace>;
  readonly log: Logger;
}

/** A plan for an intent, with all it is based on. */
export interface Suggestion extends PlanOutline {
  /** That the members are just those that are wanted. */
  readonly confidence: number;
  readonly evidence: Evidence;
}

export interface SuggesterStatus {
  readonly remembered: number;
  /** Missing while the weights are those it comes with. */
  readonly learned?: Omit<LearnedModels, 'models'>;
}

/** New executions that make it worth to learn again: so many, or this share of all. */
const FRESH_LEAST = 20;
const FRESH_SHARE = 0.2;

/** Suggests whole plans and next steps, and learns from executions how to. */
export class Suggester implements AsyncDisposable {
  readonly #ports: SuggesterPorts;
  readonly #plans = new PlanMemory();
  #models: Models = DEFAULT_MODELS;
  #described: DescribedModels = describeModels(DEFAULT_MODELS);
  #learned: LearnedModels | undefined;
  #learnedFrom = 0;
  #learning: Promise<void> | undefined;
  #isClosed = false;

  constructor(ports: SuggesterPorts) {
    this.#ports = ports;
  }

  get status(): SuggesterStatus {
    const { heldOut, examples } = this.#learned ?? {};
    return {
      remembered: this.#plans.size,
      ...(heldOut && examples !== undefined && { learned: { heldOut, examples } }),
    };
  }

  /** The weights in use. */
  get weights(): DescribedModels {
    return this.#described;
  }

  remember(traces: readonly ExecutionTrace[]): void {
    for (const trace of traces) this.#plans.add(trace);
  }

  /** The plan an intent most likely wants. */
  async suggest(intent: string): Promise<Suggestion> {
    const evidence = await this.#evidence(intent);
    const { plannable } = this.#ports;
    const shape = outlinePlan(evidence, { models: this.#models, plannable });
    const odds = weigh(confidenceSignals(shape, evidence), this.#models.confidence);
    // A plan of nothing is never what is wanted. How its parts are put together changes nothing of it.
    const confidence = shape.members.length > 0 ? sigmoid(odds) : 0;
    return { ...withWholes(shape, evidence), confidence, evidence };
  }

  /** What comes next after `done`, in the order it was done; likeliest first. */
  async next(intent: string, done: readonly ToolId[]): Promise<readonly NextStep[]> {
    const evidence = await this.#evidence(intent);
    const { serverTools } = this.#ports;
    return predictNext(done, evidence, { weights: this.#models.next, serverTools });
  }

  /** Learns in the background when there is enough new experience. */
  considerLearning(): void {
    const fresh = this.#plans.added - this.#learnedFrom;
    const isEnough = fresh >= Math.max(FRESH_LEAST, this.#plans.size * FRESH_SHARE);
    if (!isEnough || this.#learning || this.#isClosed) return;
    this.#learning = this.learn()
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#ports.log.warn('not learned how to plan', { error: messageOf(error) });
      })
      .finally(() => {
        this.#learning = undefined;
      });
  }

  /** Learns from everything remembered, now. */
  async learn(): Promise<void> {
    this.#learnedFrom = this.#plans.added;
    const pause = async () => {
      await this.#ports.pause();
      if (this.#isClosed) throw new Error('closed');
    };
    const learned = await learnModels(this.#ports.traces(), { ...this.#ports, pause });
    this.#learned = learned;
    this.#models = learned?.models ?? DEFAULT_MODELS;
    this.#described = describeModels(this.#models);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#learning;
  }

  async #evidence(intent: string): Promise<Evidence> {
    const { graph, pairs } = this.#ports;
    const prospects = await this.#ports.weigh(intent);
    const knowledge = { graph, pairs, plans: this.#plans, metrics: this.#ports.metrics() };
    return evidenceOf(intent, prospects, knowledge, this.#ports);
  }
}
