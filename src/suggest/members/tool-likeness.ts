import type { ToolId } from '../../core/index.js';
import { type ToolWords, wordsOf } from '../../words/index.js';
import type { Evidence } from '../evidence.js';

export interface Likenesses {
  readonly wordsOf: (tool: ToolId) => ToolWords;
  /** How alike two of the tools are by what they say of themselves: 0 nothing in common, 1 the same. */
  readonly between: (one: ToolId, other: ToolId) => number;
}

/** The name says more than the description. */
const NAME_COUNTS = 2;
const NO_WORDS: ToolWords = { name: [], all: new Set() };

/** Words that few of the tools have tell most. */
export function likenessAmong(tools: Iterable<ToolId>, toolOf: Evidence['toolOf']): Likenesses {
  const words = new Map<ToolId, ToolWords>();
  const counts = new Map<string, number>();
  for (const id of tools) {
    const tool = toolOf(id);
    if (!tool) continue;
    const own = wordsOf(tool);
    words.set(id, own);
    for (const word of own.all) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const vectors = new Map<ToolId, ReadonlyMap<string, number>>();
  for (const [id, own] of words) vectors.set(id, vectorOf(own));
  return {
    wordsOf: (tool) => words.get(tool) ?? NO_WORDS,
    between(one, other) {
      const [first, second] = [vectors.get(one), vectors.get(other)];
      if (!first || !second) return 0;
      let likeness = 0;
      for (const [word, weight] of first) likeness += weight * (second.get(word) ?? 0);
      return likeness;
    },
  };

  function vectorOf({ name, all }: ToolWords): ReadonlyMap<string, number> {
    const inName = new Set(name);
    const weights = [...all].map((word): [string, number] => {
      const rarity = Math.log(1 + words.size / (counts.get(word) ?? 1));
      return [word, inName.has(word) ? NAME_COUNTS * rarity : rarity];
    });
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    return new Map(weights.map(([word, weight]) => [word, weight / length]));
  }
}
