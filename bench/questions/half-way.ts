/** Requests that take several tools, asked again half way: the first tools are called, the rest is wanted. */
import type { ToolId } from '../../src/core/index.js';
import { gatherCandidates, type Model, rankCandidates } from '../../src/ranking/index.js';
import type { Store } from '../../src/store/index.js';
import { foldsAt, readySet, type ReadySet, spread } from '../data/discover-sets.js';
import type { RankedRow, Remembering } from '../data/ranked-set.js';

export interface HalfWay {
  readonly row: RankedRow;
  readonly group: string;
  readonly called: readonly ToolId[];
  readonly rest: readonly ToolId[];
}

export interface HalfWaySet extends ReadySet {
  readonly memory: readonly RankedRow[];
  readonly questions: readonly HalfWay[];
}

const MOST_ROWS = 1_500;
const FOLDS = 5;

/** Four fifths are remembered, and of the last fifth so many are asked. */
export async function halfWaySet(
  name: string,
  { store, most }: { readonly store: Store; readonly most: number },
): Promise<HalfWaySet> {
  const ready = await readySet({ name }, { store, most: MOST_ROWS });
  const foldOf = foldsAt(ready.set.rows, { groupOf: ready.groupOf, count: FOLDS, seed: 1 });
  const memory = ready.set.rows.filter((row) => foldOf(row) !== 0);
  const own = ready.asked.filter((row) => foldOf(row) === 0);
  return {
    ...ready,
    memory,
    questions: spread(
      own.flatMap((row) => halved(row, ready)),
      most,
    ),
  };
}

function halved(row: RankedRow, { groupOf }: ReadySet): readonly HalfWay[] {
  const steps = [...new Set(row.traces[0]?.calls.map(({ tool }) => tool))];
  if (steps.length < 2) return [];
  const middle = Math.ceil(steps.length / 2);
  return [{ row, group: groupOf(row), called: steps.slice(0, middle), rest: steps.slice(middle) }];
}

export interface Asking {
  readonly called: readonly ToolId[];
  readonly model: Model;
  readonly sources: Remembering['sources'];
  /** More that speaks for a tool. */
  readonly added?: (tool: ToolId) => number;
}

/** One over the place of the first tool that is still wanted; what was called is left out. */
export function reciprocalPlace(
  { row, called: done, rest }: HalfWay,
  { called, model, sources, added }: Asking,
): number {
  const question = { ...row.intents[0]!, called };
  const { candidates } = gatherCandidates(question, sources);
  const ranked = rankCandidates(candidates, model).filter(({ tool }) => !done.includes(tool.id));
  const order = added
    ? ranked.toSorted((a, b) => b.score + added(b.tool.id) - a.score - added(a.tool.id))
    : ranked;
  const place = order.findIndex(({ tool }) => rest.includes(tool.id)) + 1;
  return place > 0 ? 1 / place : 0;
}
