import { type Episode, parseToolId } from '../../core/index.js';

/**
 * Whether acting on a prediction was, or would have been, of use. A made call serves only the exact
 * call. An offered step serves if the client calls that tool. A started server serves any of its tools.
 */
export function isUseful({ rung, outcome, predicted, actual }: Episode): boolean {
  if (outcome === 'exact') return true;
  if (rung === 'speculate') return false;
  if (outcome === 'tool') return true;
  if (rung === 'offer' || actual === undefined) return false;
  return parseToolId(actual).server === parseToolId(predicted).server;
}
