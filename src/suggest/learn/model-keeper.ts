import {
  type JsonObject,
  type Logger,
  messageOf,
  type PlanMatch,
  type RankingModel,
} from '../../core/index.js';
import { mean } from '../../learning/index.js';
import { describeModels } from './describe-models.js';
import type { LearnedModels } from './learn-models.js';
import type { Models } from './models.js';
import { packModels, unpackModels } from './stored-models.js';

/** The durable copy of learned weights, newest first. */
export interface PlanModelStore {
  planModels(): Promise<readonly RankingModel[]>;
  savePlanModel(model: RankingModel): Promise<void>;
}

export interface ModelKeeperOptions {
  readonly shipped: Models;
  /** The embedding space in use; undefined while none is known, or if words alone count. */
  readonly space: () => string | undefined;
  /** How many signals a head attends by. */
  readonly headWeights: () => number;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Weights in use, and what they were learned from. */
interface InUse {
  readonly models: Models;
  /** Missing for the shipped weights. */
  readonly learned?: LearnedModels;
  /** The number of requests that they were learned from. */
  readonly from: number;
  /** Of loaded weights: the embedding space of their signals, if they had one. */
  readonly loaded?: { readonly space: string | undefined };
}

/** This many plans must have been judged before they judge the weights. */
const PLANS_TO_JUDGE = 30;
/** The drop in plans that were taken as suggested that is too much. */
const WORSE_BY = 0.1;
const MOST_JUDGED = 10 * PLANS_TO_JUDGE;
const WORTH: Readonly<Record<PlanMatch, number>> = { exact: 1, partly: 0.5, none: 0 };

/**
 * Keeps the weights of plans and next steps: stores what is learned, loads it after a restart, and goes
 * back to the weights before if clients take plans of the new weights less often.
 */
export class ModelKeeper {
  readonly #options: ModelKeeperOptions;
  #store: PlanModelStore | undefined;
  #used: InUse;
  #previous: { readonly used: InUse; readonly worth: readonly number[] } | undefined;
  /** What judged plans of the weights in use were worth, by decision: a plan is executed in parts. */
  #judged = new Map<string, number>();

  constructor(options: ModelKeeperOptions) {
    this.#options = options;
    this.#used = { models: options.shipped, from: 0 };
  }

  /** Weights are loaded before the embedding space is known: those of another space end here. */
  get used(): InUse {
    const space = this.#options.space();
    const { loaded } = this.#used;
    if (loaded && space !== undefined && loaded.space !== space) {
      this.#used = { models: this.#options.shipped, from: 0 };
    }
    return this.#used;
  }

  /** Loads the weights of the previous process. Weights of other signals stay in the store, unused. */
  async attach(store: PlanModelStore): Promise<void> {
    this.#store = store;
    const models = await store.planModels();
    const last = models.find(({ status }) => status === 'active');
    const read = last && this.#read(last);
    if (read) this.#used = read;
  }

  async take(learned: LearnedModels | undefined, from: number): Promise<void> {
    const before = this.used;
    const models = learned?.models ?? this.#options.shipped;
    if (!this.#previous || this.#judged.size >= PLANS_TO_JUDGE) {
      this.#previous = { used: before, worth: [...this.#judged.values()] };
      this.#judged = new Map();
    }
    this.#used = { models, from, ...(learned && { learned }) };
    if (learned) await this.#save(this.#used, 'active');
  }

  /** What a client made of a plan that some weights suggested. */
  observe(model: string, decision: string, match: PlanMatch | undefined): void {
    if (match === undefined || model !== describeModels(this.used.models).id) return;
    this.#judged.set(decision, WORTH[match]);
    for (const oldest of this.#judged.keys()) {
      if (this.#judged.size <= MOST_JUDGED) break;
      this.#judged.delete(oldest);
    }
    if (this.#isWorse()) void this.#rollBack();
  }

  #isWorse(): boolean {
    const before = this.#previous?.worth ?? [];
    if (this.#judged.size < PLANS_TO_JUDGE || before.length < PLANS_TO_JUDGE) return false;
    return mean([...this.#judged.values()]) < mean([...before]) - WORSE_BY;
  }

  async #rollBack(): Promise<void> {
    const failed = this.#used;
    const { used, worth } = this.#previous!;
    this.#options.log.warn('weights of plans taken back: clients took their plans less often', {
      taken: mean([...this.#judged.values()]),
      before: mean([...worth]),
    });
    // What was learned last is not learned again before there is more experience.
    this.#used = { ...used, from: failed.from };
    this.#judged = new Map(worth.map((value, at) => [`before-${at}`, value]));
    this.#previous = undefined;
    await this.#save(failed, 'rolled-back');
    if (used.learned) await this.#save(this.#used, 'active');
  }

  async #save({ models, learned, from }: InUse, status: RankingModel['status']): Promise<void> {
    const { now, log, space, headWeights } = this.#options;
    const { models: _, ...figures } = learned!;
    try {
      await this.#store?.savePlanModel({
        id: describeModels(models).id,
        at: now(),
        parameters: packModels(models, { space: space(), headWeights: headWeights() }),
        metric: JSON.parse(JSON.stringify({ ...figures, from })) as JsonObject,
        status,
      });
    } catch (error) {
      log.warn('weights of plans not stored', { error: messageOf(error) });
    }
  }

  #read({ parameters, metric }: RankingModel): InUse | undefined {
    const { space, headWeights } = this.#options;
    const models = unpackModels(parameters, { space: space(), headWeights: headWeights() });
    if (!models) return undefined;
    const { from, ...figures } = metric;
    // Figures of our own writing, of the same signals.
    const learned = { ...withErrors(figures), models } as unknown as LearnedModels;
    const stored = parameters['space'];
    const loaded = { space: typeof stored === 'string' ? stored : undefined };
    return { models, learned, loaded, from: typeof from === 'number' ? from : 0 };
  }
}

/** JSON has no infinity, which is the error of figures that prove nothing. */
function withErrors(figures: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(figures), (key, value: unknown) =>
    key === 'error' && value === null ? Infinity : value,
  ) as JsonObject;
}
