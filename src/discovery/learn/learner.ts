import {
  type JsonObject,
  type Logger,
  messageOf,
  type RankingModel,
  type RankingStore,
} from '../../core/index.js';
import { mean } from '../../learning/index.js';
import {
  type Choice,
  chooseModel,
  type Example,
  MEMORY_MODEL,
  type Model,
  MODEL_KINDS,
  type ModelKind,
} from '../../ranking/index.js';
import { MOST_REMEMBERED } from '../past/experience.js';
import { modelFromJson, modelToJson } from './model-json.js';

export interface LearnerOptions {
  readonly store: RankingStore | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
  /** How many tools there are to choose from. */
  readonly toolCount: () => number;
  /** Replays past requests; slow, so it pauses in between. */
  readonly replay: (pause: () => Promise<void>) => Promise<readonly Example[]>;
  /** Lets others go first. */
  readonly pause: () => Promise<void>;
}

/** The model in use and what it was chosen by. */
export interface ActiveModel {
  readonly id: string;
  readonly kind: ModelKind;
  readonly model: Model;
  readonly metric: JsonObject;
}

/** Past requests count from the first one on, as far as tools recur and requests are near. */
const SHIPPED: ActiveModel = { id: 'shipped', kind: 'memory', model: MEMORY_MODEL, metric: {} };

/** New experience that makes it worth to learn again: so many requests, or this share of all. */
const FRESH_LEAST = 5;
const FRESH_SHARE = 0.1;

/** So many calls must follow answers of a model before it is judged by them. */
const OUTCOMES_TO_JUDGE = 30;
/** How much worse than before, in mean reciprocal place, is too much. */
const WORSE_BY = 0.1;

/**
 * Keeps the ranking model. With enough new experience, the learner fits a new model in the background.
 * If live calls show that the new model is worse, the learner goes back to the previous one.
 */
export class Learner implements AsyncDisposable {
  readonly #options: LearnerOptions;
  #active = SHIPPED;
  /** What to go back to, and how well its answers did. */
  #previous: { readonly active: ActiveModel; readonly outcomes: readonly number[] } | undefined;
  #outcomes: number[] = [];
  #learnedFrom = 0;
  /** The number of requests when PML last considered learning. */
  #latest = 0;
  #learning: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: LearnerOptions) {
    this.#options = options;
  }

  get active(): ActiveModel {
    return this.#active;
  }

  get isLearning(): boolean {
    return this.#learning !== undefined;
  }

  /** Takes up the model of the last time. */
  async load(): Promise<void> {
    const models = (await this.#options.store?.models({ limit: 20 })) ?? [];
    const last = models.find(({ status }) => status === 'active');
    const active = last && readModel(last);
    if (!active) return;
    this.#active = active;
    const examples = active.metric['remembered'];
    // PML does not load forgotten requests again, so it does not count them again.
    this.#learnedFrom = typeof examples === 'number' ? Math.min(examples, MOST_REMEMBERED) : 0;
  }

  /**
   * Learns if enough requests are new, counting forgotten requests, too. The caller never waits: PML
   * answers with the current model meanwhile.
   */
  consider(remembered: number): void {
    this.#latest = remembered;
    const fresh = Math.max(FRESH_LEAST, FRESH_SHARE * this.#learnedFrom);
    if (this.#isClosed || this.#learning || remembered < this.#learnedFrom + fresh) return;
    void this.learn(remembered);
  }

  /** Learns now. What is asked for while it runs is not started a second time. */
  learn(remembered: number): Promise<void> {
    this.#learning ??= this.#learn(remembered).finally(() => {
      this.#learning = undefined;
      // What came meanwhile must not wait for the next request.
      if (this.#latest > remembered) this.consider(this.#latest);
    });
    return this.#learning;
  }

  /** A tool was called after an answer of the active model, found at this place (0: not at all). */
  observe(model: string, place: number): void {
    if (model !== this.#active.id) return;
    this.#outcomes.push(place > 0 ? 1 / place : 0);
    if (this.#outcomes.length > 10 * OUTCOMES_TO_JUDGE) this.#outcomes.shift();
    if (this.#isWorse()) void this.#rollBack();
  }

  async settled(): Promise<void> {
    while (this.#learning) await this.#learning;
  }

  /** Gives up what is being learned: it can be learned again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#learning;
  }

  async #learn(remembered: number): Promise<void> {
    const { log, replay } = this.#options;
    const pause = () => this.#pause();
    try {
      const choice = await chooseModel(await replay(pause), {
        pause,
        tools: this.#options.toolCount(),
      });
      await pause();
      this.#learnedFrom = remembered;
      if (!choice) return;
      await this.#take(choice, remembered);
    } catch (error) {
      if (this.#isClosed) return;
      log.warn('ranking not learned; it stays as it is', { error: messageOf(error) });
    }
  }

  async #pause(): Promise<void> {
    await this.#options.pause();
    if (this.#isClosed) throw new Error('the learner is closed');
  }

  async #take({ kind, model, ...measured }: Choice, remembered: number): Promise<void> {
    const { newId, log } = this.#options;
    const metric = JSON.parse(JSON.stringify({ ...measured, remembered })) as JsonObject;
    const active = { id: newId(), kind, model, metric };
    // A model with too few outcomes passes them on. Otherwise, with frequent learning, no model
    // would ever be judged.
    if (!this.#previous || this.#outcomes.length >= OUTCOMES_TO_JUDGE) {
      this.#previous = { active: this.#active, outcomes: this.#outcomes };
      this.#outcomes = [];
    }
    this.#active = active;
    log.info('ranking learned', { kind, examples: measured.examples });
    await this.#save(active, 'active');
  }

  #isWorse(): boolean {
    const before = this.#previous?.outcomes ?? [];
    if (this.#outcomes.length < OUTCOMES_TO_JUDGE || before.length < OUTCOMES_TO_JUDGE) {
      return false;
    }
    return mean(this.#outcomes) < mean(before) - WORSE_BY;
  }

  async #rollBack(): Promise<void> {
    const failed = this.#active;
    const { active, outcomes } = this.#previous!;
    this.#options.log.warn('ranking taken back: live calls did worse with it', {
      reciprocalPlace: mean(this.#outcomes),
      before: mean(outcomes),
    });
    this.#active = active;
    this.#outcomes = [...outcomes];
    this.#previous = undefined;
    await this.#save(failed, 'rolled-back');
    if (active.id !== SHIPPED.id) await this.#save(active, 'active');
  }

  async #save(
    { id, kind, model, metric }: ActiveModel,
    status: RankingModel['status'],
  ): Promise<void> {
    const { store, now, log } = this.#options;
    try {
      await store?.saveModel({
        id,
        at: now(),
        parameters: { kind, ...modelToJson(model) },
        metric,
        status,
      });
    } catch (error) {
      log.warn('ranking model not stored', { error: messageOf(error) });
    }
  }
}

function readModel({ id, parameters, metric }: RankingModel): ActiveModel | undefined {
  const { kind } = parameters;
  const model = modelFromJson(parameters);
  const known = MODEL_KINDS.find((one) => one === kind);
  return model && known && { id, kind: known, model, metric };
}
