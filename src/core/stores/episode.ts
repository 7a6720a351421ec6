import type { ToolId } from '../ids.js';

/** What PML does before it is asked: start a server, offer a next step, or make the call. */
export type Rung = 'warm' | 'offer' | 'speculate';

/** The outcome of a prediction. */
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
  /** What was compared with the threshold. */
  readonly confidence: number;
  /** What the predictor said before past episodes corrected it. Missing: the same. */
  readonly claimed?: number;
  readonly threshold: number;
  /** False when the threshold held it back: the episode then tells what would have been. */
  readonly wasDone: boolean;
  readonly outcome: EpisodeOutcome;
  /** What the client called instead. */
  readonly actual?: ToolId;
  /** Time that the client did not have to wait. */
  readonly savedMs: number;
  /** Time of servers wasted. */
  readonly wastedMs: number;
}

/** How sure a prediction must be on one rung, for one kind of tool. */
export interface StoredThreshold {
  readonly rung: Rung;
  readonly kind: string;
  readonly value: number;
  /** Predictions did not pay at any threshold: none is acted on. */
  readonly isOff: boolean;
  /** Why it stands where it stands, in one line. */
  readonly why: string;
  readonly at: Date;
}

/** The durable copy of episodes and thresholds. Rejects with a `PmlError`. */
export interface EpisodeStore {
  /** Adds those whose id is not there yet. */
  add(episodes: readonly Episode[]): Promise<void>;
  /** The newest, oldest of them first. */
  load(options: { limit: number }): Promise<readonly Episode[]>;
  /** Removes all but the newest. */
  prune(options: { keep: number }): Promise<void>;
  /** Removes all, and says how many. */
  forget(): Promise<number>;
  thresholds(): Promise<readonly StoredThreshold[]>;
  /** Replaces what is stored for the same rung and kind. */
  saveThresholds(thresholds: readonly StoredThreshold[]): Promise<void>;
  forgetThresholds(): Promise<number>;
}
