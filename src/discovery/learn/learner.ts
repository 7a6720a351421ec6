import {
  packVectors,
  type ToolVectors,
  unpackVectors,
  VectorScorer,
} from '../../attention/index.js';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Logger,
  messageOf,
  type RankingModel,
  type RankingStore,
} from '../../core/index.js';
import { mean, oneLessonAtATime } from '../../learning/index.js';
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
import { LEAST_FOR_VECTORS } from './vector-lesson.js';
import { type VectorsStatus, vectorsStatus } from './vectors-status.js';

export interface LearnerOptions {
  readonly store: RankingStore | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
  /** How many tools there are to choose from. */
  readonly toolCount: () => number;
  /** Replays past requests; slow, so it pauses in between. Learns vectors of tools where wanted. */
  readonly replay: (pause: () => Promise<void>, wantsVectors: boolean) => Promise<ReplayedPast>;
  /** Whether vectors of tools can be learned at all. Default: they cannot. */
  readonly hasTrainer?: boolean;
  /** Called with every model before it is used. */
  readonly onTaken?: (active: ActiveModel) => void;
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
}

/** Past requests as examples, with the vectors learned from them, or why there are none. */
export interface ReplayedPast {
  readonly examples: readonly Example[];
  readonly vectors?: ToolVectors | undefined;
  readonly failure?: string | undefined;
}

/** The model in use and the reason for its choice. */
export interface ActiveModel {
  readonly id: string;
  readonly kind: ModelKind;
  readonly model: Model;
  readonly metric: JsonObject;
  /** Of a model that is chosen with learned vectors: these, and the best model without. */
  readonly vectors?: VectorScorer;
  readonly withoutVectors?: Model;
}

/** Past requests count from the first one on, as far as tools recur and requests are near. */
const SHIPPED: ActiveModel = { id: 'shipped', kind: 'memory', model: MEMORY_MODEL, metric: {} };

/** New experience that justifies learning again: this many requests, or this share of all. */
const FRESH_LEAST = 5;
const FRESH_SHARE = 0.1;
/** Vectors take a process of their own: they are learned when experience grew by this share. */
const FRESH_SHARE_VECTORS = 0.2;

/** This many calls must follow answers of a model before they judge it. */
const OUTCOMES_TO_JUDGE = 30;
/** The drop in mean reciprocal rank that is too much. */
const WORSE_BY = 0.1;

/**
 * Keeps the ranking model. With enough new experience, it fits a new model in the background.
 * If live calls show that the new model is worse, the learner goes back to the previous one.
 */
export class Learner implements AsyncDisposable {
  readonly #options: LearnerOptions;
  #active = SHIPPED;
  /** The model to roll back to, and how well its answers did. */
  #previous: { readonly active: ActiveModel; readonly outcomes: readonly number[] } | undefined;
  #outcomes: number[] = [];
  #learnedFrom = 0;
  /** The number of requests when PML last considered learning. */
  #latest = 0;
  /** The number of requests when vectors were last learned, used or not. */
  #vectorsFrom = 0;
  #vectorsFailure: string | undefined;
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

  /** Loads the model of the previous process. */
  async load(): Promise<void> {
    const models = (await this.#options.store?.models({ limit: 20 })) ?? [];
    const last = models.find(({ status }) => status === 'active');
    const active = last && (await this.#read(last));
    if (!active) return;
    this.#active = active;
    // PML does not load forgotten requests again, so it does not count them again.
    this.#learnedFrom = countOf(active.metric['remembered']);
    this.#vectorsFrom = countOf(active.metric['vectorsFrom']);
  }

  /**
   * Learns if enough requests are new, counting forgotten requests, too. The caller never waits: PML
   * answers with the current model meanwhile.
   */
  consider(remembered: number): void {
    this.#latest = remembered;
    const share = this.#active.vectors ? FRESH_SHARE_VECTORS : FRESH_SHARE;
    const fresh = Math.max(FRESH_LEAST, share * this.#learnedFrom);
    if (this.#isClosed || this.#learning || remembered < this.#learnedFrom + fresh) return;
    void this.learn(remembered);
  }

  /** Learns now. A request while it runs does not start it a second time. */
  learn(remembered: number): Promise<void> {
    let learned = remembered;
    const lesson = () => {
      // Requests that came while another lesson ran are part of this one.
      learned = Math.max(remembered, this.#latest);
      return this.#learn(learned);
    };
    this.#learning ??= oneLessonAtATime(lesson).finally(() => {
      this.#learning = undefined;
      // Requests that came meanwhile must not wait for the next one.
      if (this.#latest > learned) this.consider(this.#latest);
    });
    return this.#learning;
  }

  /** Why vectors of tools are in use or not. */
  get vectors(): VectorsStatus {
    const { active } = this;
    return vectorsStatus({
      scorer: active.vectors,
      metric: active.metric,
      failure: this.#vectorsFailure,
      remembered: this.#latest,
      hasTrainer: this.#options.hasTrainer ?? false,
    });
  }

  /** Every scorer that may be used, now or after a rollback. */
  get scorers(): readonly VectorScorer[] {
    return [this.#active, this.#previous?.active].flatMap((one) => one?.vectors ?? []);
  }

  /** A client called a tool after an answer of the active model; its place there (0: not shown). */
  observe(model: string, place: number): void {
    if (model !== this.#active.id) return;
    this.#outcomes.push(place > 0 ? 1 / place : 0);
    if (this.#outcomes.length > 10 * OUTCOMES_TO_JUDGE) this.#outcomes.shift();
    if (this.#isWorse()) void this.#rollBack();
  }

  async settled(): Promise<void> {
    while (this.#learning) await this.#learning;
  }

  /** Cancels learning under way: it can be repeated. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#learning;
  }

  async #learn(remembered: number): Promise<void> {
    const { log, replay, toolCount } = this.#options;
    const pause = () => this.#pause();
    try {
      const wantsVectors = this.#wantsVectors(remembered);
      const { examples, vectors, failure } = await replay(pause, wantsVectors);
      await pause();
      if (wantsVectors) {
        this.#vectorsFrom = remembered;
        this.#vectorsFailure = failure;
      }
      this.#learnedFrom = remembered;
      if (failure !== undefined) log.warn('tool vectors not learned', { error: failure });
      // Without new vectors, those in use cannot be judged: model and vectors stay together.
      if (failure !== undefined && this.#active.vectors) return;
      const choice = await chooseModel(examples, { pause, tools: toolCount() });
      await pause();
      if (!choice) return;
      await this.#take(choice, { remembered, vectors });
    } catch (error) {
      if (this.#isClosed) return;
      log.warn('ranking not learned; it stays as it is', { error: messageOf(error) });
    }
  }

  async #pause(): Promise<void> {
    await this.#options.pause();
    if (this.#isClosed) throw new Error('the learner is closed');
  }

  async #take(
    { kind, model, withoutVectors, ...measured }: Choice,
    {
      remembered,
      vectors,
    }: { readonly remembered: number; readonly vectors: ReplayedPast['vectors'] },
  ): Promise<void> {
    const { newId, log } = this.#options;
    const vectorsFrom = this.#vectorsFrom;
    const metric = JSON.parse(
      JSON.stringify({ ...measured, remembered, ...(vectorsFrom > 0 && { vectorsFrom }) }),
    ) as JsonObject;
    const used = kind === 'vectors' ? vectors : undefined;
    const active: ActiveModel = {
      id: newId(),
      kind,
      model,
      metric,
      ...(used && { vectors: new VectorScorer(used) }),
      ...(withoutVectors && { withoutVectors }),
    };
    // A model with too few outcomes passes them on. Otherwise, with frequent learning, no model
    // would ever be judged.
    if (!this.#previous || this.#outcomes.length >= OUTCOMES_TO_JUDGE) {
      this.#previous = { active: this.#active, outcomes: this.#outcomes };
      this.#outcomes = [];
    }
    this.#options.onTaken?.(active);
    this.#active = active;
    log.info('ranking learned', { kind, examples: measured.examples });
    if (used) await this.#saveVectors(active.id, used);
    await this.#save(active, 'active');
  }

  /** With vectors in use, always; else if there are enough requests and a fifth of them is new. */
  #wantsVectors(remembered: number): boolean {
    if (!this.#options.hasTrainer || remembered < LEAST_FOR_VECTORS) return false;
    if (this.#active.vectors) return true;
    return remembered >= this.#vectorsFrom * (1 + FRESH_SHARE_VECTORS);
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

  async #saveVectors(model: string, vectors: ToolVectors): Promise<void> {
    const { store, now, log } = this.#options;
    try {
      await store?.saveVectors({ model, at: now(), ...packVectors(vectors) });
    } catch (error) {
      log.warn('tool vectors not stored', { error: messageOf(error) });
    }
  }

  /** A model whose vectors are lost is not used: its weights are right only together with them. */
  async #read(stored: RankingModel): Promise<ActiveModel | undefined> {
    const active = readModel(stored);
    if (active?.kind !== 'vectors') return active;
    const packed = await this.#options.store?.vectors(active.id);
    const vectors = packed && unpackVectors(packed);
    return vectors && active.withoutVectors && { ...active, vectors: new VectorScorer(vectors) };
  }

  async #save(
    { id, kind, model, metric, withoutVectors }: ActiveModel,
    status: RankingModel['status'],
  ): Promise<void> {
    const { store, now, log } = this.#options;
    try {
      await store?.saveModel({
        id,
        at: now(),
        parameters: {
          kind,
          ...modelToJson(model),
          ...(withoutVectors && { withoutVectors: modelToJson(withoutVectors) }),
        },
        metric,
        status,
      });
    } catch (error) {
      log.warn('ranking model not stored', { error: messageOf(error) });
    }
  }
}

function readModel({ id, parameters, metric }: RankingModel): ActiveModel | undefined {
  const { kind, withoutVectors } = parameters;
  const model = modelFromJson(parameters);
  const simpler = isJsonObject(withoutVectors) ? modelFromJson(withoutVectors) : undefined;
  const known = MODEL_KINDS.find((one) => one === kind);
  return (
    model &&
    known && { id, kind: known, model, metric, ...(simpler && { withoutVectors: simpler }) }
  );
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? Math.min(value, MOST_REMEMBERED) : 0;
}
