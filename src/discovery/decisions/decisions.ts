import type { AlgorithmTrace, Logger, RankingStore } from '../../core/index.js';
import type { Ranking } from '../weighed-tools.js';
import { DecisionLog } from './decision-log.js';
import { PlanJudge } from './judge-plans.js';
import {
  attribute,
  type Attributed,
  type Execution,
  extendTrail,
  type JudgedDecision,
  type Shown,
  type Trail,
} from './trail.js';

/** A decision based on what discovery weighs. */
export type MadeDecision = Omit<AlgorithmTrace, 'id' | 'at' | 'outcome'>;

export interface DecisionsOptions {
  readonly log: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
  /** What may be kept of a request. */
  readonly keepable: (intent: string) => string;
  /** Called with the place of a tool that a client called after a search; 0 if it had none. */
  readonly onCalled: (model: string, place: number) => void;
  /** Called with what a client made of a suggested plan. */
  readonly onPlanJudged?: ((judged: JudgedDecision) => void) | undefined;
}

/** Candidates kept with each decision. */
export const KEPT_CANDIDATES = 20;

/** What clients were shown, and the outcome: recorded in the background of their requests. */
export class Decisions implements AsyncDisposable {
  readonly #options: DecisionsOptions;
  readonly #plans = new PlanJudge();
  #store: RankingStore | undefined;
  #log: DecisionLog;

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#log = new DecisionLog({ store: undefined, log: options.log });
  }

  /** Stores decisions from now on. */
  attach(store: RankingStore): void {
    this.#store = store;
    this.#log = new DecisionLog({ store, log: this.#options.log });
  }

  /** Records a decision. The result goes into the trail of the client that got the answer. */
  add(made: MadeDecision, after?: Shown['after']): Shown {
    const { algorithm, model, shown } = made;
    const [id, at] = [this.#options.newId(), this.#options.now()];
    const intent = this.#options.keepable(made.intent);
    const candidates = made.candidates.slice(0, Math.max(shown, KEPT_CANDIDATES));
    this.#log.add({ ...made, id, at, intent, candidates });
    const ids = candidates.map(({ tool }) => tool);
    const [tools, others] = [ids.slice(0, shown), ids.slice(shown)];
    return { id, algorithm, model, intent, at, tools, others, ...(after && { after }) };
  }

  /** The trail of a client that was shown a ranking. */
  extend(trail: Trail, intent: string, { id, model, tools, shown }: Ranking): Trail {
    return extendTrail(trail, {
      id,
      algorithm: 'discover',
      model,
      intent: this.#options.keepable(intent),
      at: this.#options.now(),
      tools: tools.slice(0, shown).map(({ tool }) => tool.id),
    });
  }

  /** Says which questions an execution answers, and records outcomes of what the client saw. */
  judge(trail: Trail, execution: Execution): Attributed['traces'] {
    const { traces, outcomes } = attribute(trail, execution);
    for (const { decision, model, outcome } of outcomes) {
      this.#log.addOutcome(decision, outcome);
      this.#options.onCalled(model, outcome.place);
    }
    for (const judged of this.#plans.judge(trail, execution)) {
      this.#log.addOutcome(judged.decision, judged.outcome);
      this.#options.onPlanJudged?.(judged);
    }
    return traces;
  }

  /** Newest first; undefined where nothing stores them. */
  async list(
    wanted: Parameters<RankingStore['traces']>[0],
  ): Promise<readonly AlgorithmTrace[] | undefined> {
    await this.#log.flush();
    return this.#store?.traces(wanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log[Symbol.asyncDispose]();
  }
}
