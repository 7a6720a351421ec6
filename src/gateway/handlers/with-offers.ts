import { isJsonObject, type JsonObject, type ToolResult } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import { type Offer, offersText } from '../../speculation/index.js';
import type { Workflows } from '../../workflows/index.js';

/** The answer to a run that ended well, and behind it what the agent most likely calls next. */
export function withOffers(
  { foresight }: Pick<Workflows, 'foresight'>,
  answer: ToolResult,
  { isMeta, caller }: { readonly isMeta: boolean; readonly caller: Caller },
): ToolResult {
  if (!foresight || !isMeta || !endedWell(answer)) return answer;
  const offers = foresight.offers(caller);
  return offers.length > 0 ? offering(answer, offers) : answer;
}

function endedWell({ structuredContent, _meta, isError }: ToolResult): boolean {
  if (isError) return false;
  // A run of one task is answered with the result of its tool.
  return _meta?.['pml/run'] !== undefined || isRunAnswer(structuredContent);
}

function isRunAnswer(answer: unknown): answer is JsonObject {
  return isJsonObject(answer) && answer['status'] === 'completed' && answer['run'] !== undefined;
}

function offering(answer: ToolResult, offers: readonly Offer[]): ToolResult {
  const { content, structuredContent, _meta } = answer;
  const told = offers.map(({ tool, args }) => ({ tool, args }));
  const isLone = _meta?.['pml/run'] !== undefined;
  return {
    ...answer,
    content: [...content, { type: 'text', text: offersText(offers) }],
    // What a tool gave stays as its schema says.
    ...(!isLone &&
      isRunAnswer(structuredContent) && {
        structuredContent: { ...structuredContent, offers: told },
      }),
    ...(isLone && { _meta: { ..._meta, 'pml/offers': told } }),
  };
}
