import { canonicalJson, type JsonObject, type ToolId } from '../core/index.js';
import type { Episode, EpisodeOutcome, Rung } from './episode.js';
import type { PredictedCall, Situation } from './situation.js';

const LAST_TOOLS = 5;

/** A prediction whose confidence past episodes may have corrected. */
export interface JudgedCall extends PredictedCall {
  /** What the predictor said. */
  readonly claimed: number;
}

/** A prediction that nothing has answered yet. */
export interface PendingPrediction {
  readonly rung: Rung;
  readonly at: Date;
  readonly situation: Situation;
  readonly predicted: JudgedCall;
  readonly threshold: number;
  /** What PML did because of it; missing if the threshold held it back, or it was only offered. */
  readonly call?: { readonly savedMs: number; readonly spentMs: number };
  readonly wasDone: boolean;
}

export interface ActualCall {
  readonly tool: ToolId;
  readonly args: JsonObject;
}

/** The outcome of a prediction when its client made this call, or none in time. */
function outcomeOfPrediction(
  { predicted }: Pick<PendingPrediction, 'predicted'>,
  actual: ActualCall | undefined,
): EpisodeOutcome {
  if (!actual) return 'expired';
  if (actual.tool !== predicted.tool) return 'other';
  return canonicalJson(actual.args) === canonicalJson(predicted.args) ? 'exact' : 'tool';
}

/** The episode of a prediction that is over. */
export function settledEpisode(
  pending: PendingPrediction,
  actual: ActualCall | undefined,
  id: string,
): Episode {
  const { rung, at, situation, predicted, threshold, wasDone, call } = pending;
  const outcome = outcomeOfPrediction(pending, actual);
  return {
    id,
    at,
    rung,
    client: situation.client,
    intent: situation.intent,
    last: situation.calls.slice(-LAST_TOOLS).map(({ tool }) => tool),
    predicted: predicted.tool,
    confidence: predicted.confidence,
    claimed: predicted.claimed,
    threshold,
    wasDone,
    outcome,
    ...(actual && { actual: actual.tool }),
    savedMs: call?.savedMs ?? 0,
    // A result that was used, at once or late, was not wasted.
    wastedMs: call && call.savedMs === 0 ? call.spentMs : 0,
  };
}
