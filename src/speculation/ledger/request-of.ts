import type { Episode } from '../../core/index.js';
import { wordKey } from '../../words/index.js';

const HOUR_MS = 3_600_000;

/** Predictions for one request are one piece of evidence; without words, those of one hour are. */
export function requestOf({ client, intent, at }: Episode): string {
  const words = wordKey(intent);
  return words === '' ? `${client} ${Math.floor(at.getTime() / HOUR_MS)}` : words;
}
