import type { ToolId } from '../core/index.js';
import { tokenize, wordsOf } from '../words/index.js';
import type { Evidence } from './evidence.js';

/** Where an intent speaks of a tool: 0 at its beginning, 1 at its end. Missing where it does not. */
export type Mentions = (tool: ToolId) => number | undefined;

/**
 * People name what is to be done in the order it is to be done. The place of a tool is that of the need
 * it fits, where the intent names several; else the mean place of the words it shares with the intent,
 * where words that few tools have count most.
 */
export function mentionsIn(
  { intent, likely, toolOf }: Pick<Evidence, 'intent' | 'likely' | 'toolOf'>,
  tools: Iterable<ToolId>,
): Mentions {
  const places = new Map<ToolId, number | undefined>(
    likely.flatMap(({ tool, place }) => (place === undefined ? [] : [[tool, place]])),
  );
  const terms = tokenize(intent);
  const termsById = new Map<ToolId, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  for (const id of tools) {
    const tool = toolOf(id);
    if (!tool) continue;
    const own = wordsOf(tool).all;
    termsById.set(id, own);
    for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return (id) => {
    if (!places.has(id)) places.set(id, placeOf(termsById.get(id)));
    return places.get(id);
  };

  function placeOf(own: ReadonlySet<string> | undefined): number | undefined {
    let sum = 0;
    let total = 0;
    terms.forEach((term, place) => {
      if (!own?.has(term)) return;
      const weight = Math.log(1 + termsById.size / (counts.get(term) ?? 1)) ** 2;
      sum += weight * place;
      total += weight;
    });
    return total === 0 ? undefined : sum / total / terms.length;
  }
}
