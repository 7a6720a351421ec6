import { estimateTokens, type JsonObject, type ToolId } from '../../core/index.js';
import type { PredictedCall } from '../situation.js';

const MOST_OFFERS = 2;
/** Of the whole text that an answer carries. */
const MOST_TOKENS = 60;

export interface Offer {
  readonly tool: ToolId;
  readonly args: JsonObject;
}

/** The text an agent reads. */
export function offersText(offers: readonly Offer[]): string {
  return JSON.stringify({ offers });
}

/** The likeliest next calls that are sure enough, as far as they fit into the tokens allowed. */
export function chooseOffers(
  predicted: readonly PredictedCall[],
  isOffered: (call: PredictedCall) => boolean,
): readonly Offer[] {
  const offers: Offer[] = [];
  for (const call of predicted) {
    if (offers.length === MOST_OFFERS) break;
    if (!isOffered(call)) continue;
    const more = [...offers, { tool: call.tool, args: call.args }];
    if (estimateTokens(offersText(more)) <= MOST_TOKENS) offers.push(more.at(-1)!);
  }
  return offers;
}
