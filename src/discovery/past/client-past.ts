import type { FeatureMemory } from '../../attention/index.js';
import type { ExecutionTrace } from '../../core/index.js';
import type { Trail, Execution } from '../decisions/trail.js';
import type { Ranking, WeighedTools, WeighOptions } from '../weighed-tools.js';
import type { Experience } from './experience.js';

/** An execution that a run recorded before PML could store it. */
export interface RecoveredRun {
  readonly trace: Omit<Execution, 'at'>;
  readonly startedAt: number;
}

/** Answers from the memory of one client, and what adds to that memory. The user has one as well. */
export interface ClientPast {
  weigh(intent: string, options?: WeighOptions): Promise<WeighedTools>;
  weighAgain(id: string, without?: readonly string[]): WeighedTools | undefined;
  rank(intent: string, options: WeighOptions & { readonly shown: number }): Promise<Ranking>;
  prepared(patienceMs: number): Promise<void>;
  executed(trail: Trail, execution: Omit<Execution, 'at'>): Trail;
  recover(runs: readonly RecoveredRun[]): void;
  /** Whether a call without an intent is only counted now, so that its arguments are of no use. */
  readonly isBusy: boolean;
  readonly features: FeatureMemory;
  /** What is remembered, oldest first. */
  readonly traces: Iterable<ExecutionTrace>;
}

/** Answers questions from whichever memory it is given. */
interface Answering extends Pick<ClientPast, 'weigh' | 'rank'> {
  prepared(patienceMs: number, past: Experience): Promise<void>;
  executed(trail: Trail, execution: Omit<Execution, 'at'>, past: Experience): Trail;
  recover(runs: readonly RecoveredRun[], past: Experience): void;
}

export function clientPast(answering: Answering, past: Experience): ClientPast {
  return {
    weigh: (intent, options) => answering.weigh(intent, { ...options, past }),
    // Weights are learned from the memory of the user alone.
    weighAgain: () => undefined,
    rank: (intent, options) => answering.rank(intent, { ...options, past }),
    prepared: (patienceMs) => answering.prepared(patienceMs, past),
    executed: (trail, execution) => answering.executed(trail, execution, past),
    recover: (runs) => answering.recover(runs, past),
    get isBusy() {
      return past.isBusy;
    },
    features: past.features,
    get traces() {
      return past.traces;
    },
  };
}
