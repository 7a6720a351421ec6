import { NEARLY_EQUAL, meanQuality, type Quality, qualityOf } from '../../src/learning/index.js';
import { COLD_MODEL, gatherCandidates, MEMORY_MODEL, SIGNALS } from '../../src/ranking/index.js';
import { wordKey } from '../../src/words/index.js';
import { type ReadySet, shuffled } from './discover-sets.js';

const ORDERS = 3;

interface Ordered {
  readonly what: 'news' | 'repeats';
  readonly count: number;
  readonly without: Quality;
  readonly with: Quality;
}

/** Asks the requests one after the other: each knows only what came before it. */
export function timeOrdered({ set }: ReadySet): readonly Ordered[] {
  const judged = { news: [] as Quality[][], repeats: [] as Quality[][] };
  const without = COLD_MODEL.weights.slice();
  without[SIGNALS.indexOf('repeat')] = 0;
  for (let seed = 1; seed <= ORDERS; seed++) {
    const { sources } = set.remembering([]);
    const seen = new Set<string>();
    for (const { intents } of shuffled(set.rows, seed)) {
      for (const intent of intents) {
        const { called: _called, ...question } = intent;
        const words = wordKey(intent.text);
        const isRepeat =
          seen.has(words) || sources.memory.nearTo(intent.vector!, NEARLY_EQUAL).length > 0;
        const { candidates } = gatherCandidates(question, sources);
        const example = {
          candidates: candidates.map(({ signals }) => signals),
          isRight: candidates.map(({ tool }) => intent.tools.includes(tool.id)),
          wanted: intent.tools.length,
        };
        judged[isRepeat ? 'repeats' : 'news'].push([
          qualityOf(example, without),
          qualityOf(example, MEMORY_MODEL.weights),
        ]);
        seen.add(words);
        sources.memory.add(intent);
      }
    }
  }
  return (['news', 'repeats'] as const).map((what) => ({
    what,
    count: judged[what].length,
    without: meanQuality(judged[what].map(([first]) => first!)),
    with: meanQuality(judged[what].map(([, second]) => second!)),
  }));
}
