import { HEAD_NAMES, type HeadView, type Lenders, lookWith } from '../../attention/index.js';
import type { ToolId } from '../../core/index.js';
import { logOdds } from '../../learning/index.js';
import type { Evidence } from '../evidence.js';
import { levelsOf } from '../past/capability-levels.js';
import { mostOften } from '../past/most-often.js';

/** What one head says of a tool. In this order. */
const OF_A_HEAD = ['Odds', 'Votes', 'Share'] as const;

/**
 * The signals of all heads, in the order in which heads come into use: how likely the tools that a head
 * attends to call the tool, as log-odds and as it is, and the share of the attention the tool gets.
 */
export const HEAD_SIGNALS: readonly string[] = HEAD_NAMES.flatMap((name) =>
  OF_A_HEAD.map((what) => `${name}${what}`),
);

const CHANCES = { least: 0.002, most: 0.995 };
/** Log-odds of votes are larger than the other signals. */
const ODDS_SCALE = 3;
/** So many that a head votes for are candidates, however unlikely they are by themselves. */
const VOTED = 25;

type Attending = Pick<Evidence, 'attention' | 'likely' | 'runs' | 'alike' | 'graph'>;

/** What the heads in use see; empty while none is. */
export function headViews(evidence: Attending): readonly HeadView[] {
  const { attention, likely: tools, runs } = evidence;
  return attention ? lookWith(attention, { tools, runs, lenders: lendersOf(evidence) }) : [];
}

/** The tools and capabilities that rarely used tools borrow company from. */
export function lendersOf({ alike, graph }: Pick<Evidence, 'alike' | 'graph'>): Lenders {
  return { alike, levels: levelsOf(graph.shapes) };
}

/** The tools that heads vote for most. */
export function votedTools(views: readonly HeadView[]): readonly ToolId[] {
  return views.flatMap(({ votes }) => mostOften(votes, VOTED));
}

/** What the heads say of each tool, as many numbers as there are heads in use times three. */
export function headSignalsOf(views: readonly HeadView[]): (tool: ToolId) => readonly number[] {
  const shares = views.map(({ attended }) => {
    return new Map(attended.map(({ tool, share }) => [tool, share]));
  });
  return (tool) =>
    views.flatMap(({ votes }, at) => {
      const chance = votes.get(tool) ?? 0;
      return [logOdds(chance, CHANCES) / ODDS_SCALE, chance, shares[at]!.get(tool) ?? 0];
    });
}

/** The strongest vote of any head for a tool. */
export function votesOf(views: readonly HeadView[]): (tool: ToolId) => number {
  return (tool) => Math.max(0, ...views.map(({ votes }) => votes.get(tool) ?? 0));
}
