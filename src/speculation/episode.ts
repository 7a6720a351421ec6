import type { Episode, Rung, ToolId } from '../core/index.js';
import type { PredictedCall, Situation } from './situation.js';

export type { Episode, EpisodeOutcome, Rung } from '../core/index.js';

/** Decides how sure is sure enough, and learns it from the outcomes of predictions. */
export interface SpeculationLedger {
  /** What a prediction must reach on that rung, for that kind of tool. Above 1 where the rung is off. */
  thresholdFor(rung: Rung, tool: ToolId): number;
  /** The confidence, corrected by the outcomes of predictions in situations like this one. */
  corrected(situation: Situation, predicted: PredictedCall): number;
  settled(episode: Episode): void;
}
