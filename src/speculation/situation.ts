import type { JsonObject, JsonValue, ToolId } from '../core/index.js';

/** One call that a client made in its session, directly or as a task of a workflow or a script. */
export interface SessionCall {
  readonly tool: ToolId;
  /** As the server got them. */
  readonly args: JsonObject;
  readonly ok: boolean;
  /** What the tool gave, cut to a bounded size; missing if it was too long or is not kept. */
  readonly output?: JsonValue;
  /** Calls of one turn were made side by side: none of them knew the results of the others. */
  readonly turn: number;
  /** Milliseconds since 1970, when the call ended. */
  readonly at: number;
  readonly ms?: number;
}

/** Where a session stands between two requests of its client. */
export interface Situation {
  readonly session: string;
  /** The name that the client gave, such as `claude-code`. */
  readonly client: string;
  /** What the client said it wants, newest first said last; empty when it said nothing. */
  readonly intent: string;
  /** Oldest first, bounded. */
  readonly calls: readonly SessionCall[];
}

/** A call that may come next. */
export interface PredictedCall {
  readonly tool: ToolId;
  readonly args: JsonObject;
  /** How likely exactly this call, with these arguments, is the next one. */
  readonly confidence: number;
  /** How likely the tool is called next, with whatever arguments. */
  readonly toolConfidence: number;
  /** In one short line. */
  readonly why: string;
}

/** Foresees calls, and learns from what clients call. */
export interface CallPredictor {
  /** Likeliest first, at most a few. */
  predict(situation: Situation): Promise<readonly PredictedCall[]>;
  /** The client made a call in that situation. Calls that PML made by itself are never observed. */
  observe(situation: Situation, call: SessionCall): void;
}
