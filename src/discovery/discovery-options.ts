import type { VectorTrainer } from '../attention/index.js';
import type { ExecutionTrace, GraphOf, Logger } from '../core/index.js';
import type { SessionKnowledge } from '../ranking/index.js';
import type { JudgedDecision } from './decisions/trail.js';

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
  /** Whether vectors are made before anything asks for them. Default: yes. */
  readonly isModelWanted?: boolean;
  /** What goes with the calls a client just made; it counts as far as it proves right. Default: nothing. */
  readonly session?: SessionKnowledge;
  /** Learns vectors of tools from past requests, outside of this process. Default: nothing does. */
  readonly trainVectors?: VectorTrainer;
  /** Hides what must not be kept, such as the secrets of the configuration. Default: nothing. */
  readonly mask?: (text: string) => string;
  /** Called with what a client made of a suggested plan. */
  readonly onPlanJudged?: (judged: JudgedDecision) => void;
}
