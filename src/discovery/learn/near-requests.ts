import type { ExecutionTrace } from '../../core/index.js';
import { type GroupedRequest, NEARLY_EQUAL, nearGroups } from '../../learning/index.js';
import type { IntentMemory, PastIntent } from '../../ranking/index.js';
import { wordKey } from '../../words/index.js';

/** Which past requests are so alike that they must not judge each other. */
export interface NearRequests {
  /** The common name of all groups that belong together. */
  readonly groupOf: (group: string) => string;
  /** All requests in the joined group of this request, oldest first. */
  togetherWith(intent: PastIntent): readonly string[];
  /** Whether an earlier request is nearly the same. */
  isRepeat(intent: PastIntent): boolean;
}

export interface NearOptions {
  readonly pause: () => Promise<void>;
  /**
   * All executions. PML does not remember a failed run as a request, but its intent joins the searches
   * that it made to other requests with the same words.
   */
  readonly traces?: Iterable<ExecutionTrace>;
}

/** Finds the requests that are nearly the same as any of these intents. */
export async function nearRequests(
  memory: IntentMemory,
  intents: readonly PastIntent[],
  { traces = [], pause }: NearOptions,
): Promise<NearRequests> {
  const remembered = Array.from(memory.ids(), (id) => memory.wordsOf(id)!);
  const placeOf = new Map(remembered.map(({ id }, place) => [id, place]));
  const firstWith = new Map<string, string>();
  const groups: GroupedRequest[] = [];
  for (const { id, group, text } of remembered) {
    const words = wordKey(text);
    if (words !== '' && !firstWith.has(words)) firstWith.set(words, id);
    groups.push({ group, words });
    await pause();
  }
  const pairs: (readonly [string, string])[] = [];
  const repeats = new Set<string>();
  for (const { id, text, vector, group } of intents) {
    const near = vector ? memory.nearTo(vector, NEARLY_EQUAL) : [];
    for (const other of near) pairs.push([group, memory.wordsOf(other)!.group]);
    const same = firstWith.get(wordKey(text)) ?? id;
    if ([same, ...near].some((other) => placeOf.get(other)! < placeOf.get(id)!)) repeats.add(id);
    await pause();
  }
  for (const { id, group = id, intent } of traces) {
    groups.push({ group, words: wordKey(intent) });
    await pause();
  }
  const groupOf = nearGroups(groups, pairs);
  const ids = new Map<string, string[]>();
  for (const { id, group } of remembered) {
    const together = ids.get(groupOf(group));
    if (together) together.push(id);
    else ids.set(groupOf(group), [id]);
  }
  return {
    groupOf,
    togetherWith: ({ group }) => ids.get(groupOf(group)) ?? [],
    isRepeat: ({ id }) => repeats.has(id),
  };
}
