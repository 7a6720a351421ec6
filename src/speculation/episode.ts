import type { ToolId } from '../core/index.js';
import type { PredictedCall, Situation } from './situation.js';

/** What PML does before it is asked: start a server, offer a next step, or make the call. */
export type Rung = 'warm' | 'offer' | 'speculate';

/** What became of a prediction. */
export type EpisodeOutcome =
  /** Exactly that call came. */
  | 'exact'
  /** The tool was called, with other arguments. */
  | 'tool'
  /** Another tool was called. */
  | 'other'
  /** Nothing came in time. */
  | 'expired';

/** One prediction: the situation, what was foreseen, how sure, and what happened instead. */
export interface Episode {
  readonly id: string;
  readonly at: Date;
  readonly rung: Rung;
  readonly client: string;
  readonly intent: string;
  /** The last tools that the session called, newest last. */
  readonly last: readonly ToolId[];
  readonly predicted: ToolId;
  readonly confidence: number;
  readonly threshold: number;
  /** False when the threshold held it back: the episode then tells what would have been. */
  readonly wasDone: boolean;
  readonly outcome: EpisodeOutcome;
  /** What the client called instead. */
  readonly actual?: ToolId;
  /** Time that the client did not have to wait. */
  readonly savedMs: number;
  /** Time of servers spent in vain. */
  readonly wastedMs: number;
}

/** Decides how sure is sure enough, and learns it from what became of predictions. */
export interface SpeculationLedger {
  /** What a prediction must reach on that rung, for that kind of tool. */
  thresholdFor(rung: Rung, tool: ToolId): number;
  /** The confidence, corrected by what became of predictions in situations like this one. */
  corrected(situation: Situation, predicted: PredictedCall): number;
  settled(episode: Episode): void;
}
