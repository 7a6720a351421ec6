import { MEMORY_MODEL, SIGNALS } from '../ranking/index.js';

/** The weights of signals that a head of attention begins with: those of requests with a past. */
export const HEAD_WEIGHTS: Float64Array = MEMORY_MODEL.weights;

/** Signals that no experience of heads changes: decisions of ours, and what is not known of the past. */
const FIXED: ReadonlySet<string> = new Set(['named', 'reliability']);

export function isHeadFixed(place: number): boolean {
  return HEAD_WEIGHTS[place] === 0 || FIXED.has(SIGNALS[place] ?? '');
}
