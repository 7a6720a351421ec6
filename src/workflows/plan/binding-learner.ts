import { type Logger, messageOf } from '../../core/index.js';
import {
  type BindingCalibration,
  type BindingClaim,
  learnBindings,
  type LearnedBindings,
} from '../../planner/index.js';

interface LearnerPorts {
  /** The bindings that the planner infers for past executions. */
  readonly claims: (pause: () => Promise<void>) => Promise<readonly BindingClaim[]>;
  /** Lets pending requests run first. */
  readonly pause: () => Promise<void>;
  readonly log: Logger;
}

/** PML learns again after this many new executions, or after this share of all. */
const FRESH_LEAST = 20;
const FRESH_SHARE = 0.2;

/** Learns in the background how reliable the probabilities of inferred bindings are here. */
export class BindingLearner implements AsyncDisposable {
  readonly #ports: LearnerPorts;
  #seen = 0;
  #learnedFrom = 0;
  #learned: LearnedBindings | undefined;
  #learning: Promise<void> | undefined;
  #isClosed = false;

  constructor(ports: LearnerPorts) {
    this.#ports = ports;
  }

  get isLearning(): boolean {
    return this.#learning !== undefined;
  }

  /** Missing until PML has measured something. */
  get learned(): LearnedBindings | undefined {
    return this.#learned;
  }

  /** The correction to pass when inferring bindings. */
  get correction(): { readonly calibration?: BindingCalibration } {
    const calibration = this.#learned?.calibration;
    return calibration ? { calibration } : {};
  }

  /** Learns in the background when enough executions were added. */
  added(executions: number): void {
    this.#seen += executions;
    const fresh = this.#seen - this.#learnedFrom;
    const isEnough = fresh >= Math.max(FRESH_LEAST, this.#seen * FRESH_SHARE);
    if (!isEnough || this.#learning || this.#isClosed) return;
    this.#learning = this.learn()
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#ports.log.warn('not learned how sure bindings are', { error: messageOf(error) });
      })
      .finally(() => {
        this.#learning = undefined;
      });
  }

  /** Learns from everything remembered, now. */
  async learn(): Promise<void> {
    this.#learnedFrom = this.#seen;
    const pause = async () => {
      await this.#ports.pause();
      if (this.#isClosed) throw new Error('closed');
    };
    await pause();
    const claims = await this.#ports.claims(pause);
    this.#learned = claims.length > 0 ? await learnBindings(claims, pause) : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#learning;
  }
}
