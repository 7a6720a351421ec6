import type { ToolId } from '../../core/index.js';
import { reliabilityOf } from '../../graph/index.js';
import { logOdds } from '../../learning/index.js';
import { tokenize } from '../../words/index.js';
import type { Evidence } from '../evidence.js';
import type { ChosenMembers, WeighedMember } from './choose-members.js';
import { likenessAmong, type Likenesses } from './tool-likeness.js';

/** Two tools that the request does not decide between, and what did. */
export interface SettledEquals {
  readonly chosen: ToolId;
  readonly instead: ToolId;
  readonly because: 'used more often' | 'more reliable';
}

export interface SettledMembers extends ChosenMembers {
  readonly settled: readonly SettledEquals[];
}

/** Tools that are less alike do different things. */
const LEAST_LIKENESS = 0.5;
/** With a larger difference in log-odds the request decides. */
const UNDECIDED = 0.5;
/** One more use decides nothing. */
const USED = { least: 3, timesMore: 2 };
const MORE_RELIABLE = 0.1;
const CHANCES = { least: 0.002, most: 0.995 };

/**
 * Where the request does not decide between two tools that do the same, the tool that was used more often
 * wins, else the more reliable one. It takes the probability and the place of the other one.
 */
export function settleEquals(
  chosen: ChosenMembers,
  { intent, graph, pairs, toolOf }: Pick<Evidence, 'intent' | 'graph' | 'pairs' | 'toolOf'>,
): SettledMembers {
  const likeness = likenessAmong(
    [...chosen.members, ...chosen.others].map(({ tool }) => tool),
    toolOf,
  );
  const said = new Set(tokenize(intent));
  const settled: SettledEquals[] = [];
  const members = [...chosen.members];
  const others = [...chosen.others];
  members.forEach((member, place) => {
    others.some((other, at) => {
      const because = isUndecided(member, other) ? reasonFor(other.tool, member.tool) : undefined;
      if (!because) return false;
      members[place] = { ...other, probability: member.probability };
      others[at] = { ...member, probability: other.probability };
      settled.push({ chosen: other.tool, instead: member.tool, because });
      return true;
    });
  });
  return { ...chosen, members, others, settled };

  function isUndecided(one: WeighedMember, other: WeighedMember): boolean {
    const difference = logOdds(one.probability, CHANCES) - logOdds(other.probability, CHANCES);
    return (
      difference <= UNDECIDED &&
      likeness.between(one.tool, other.tool) >= LEAST_LIKENESS &&
      pairs.pair(one.tool, other.tool).together === 0 &&
      !isNamed(one.tool, other.tool, { likeness, said }) &&
      !isNamed(other.tool, one.tool, { likeness, said })
    );
  }

  function reasonFor(tool: ToolId, rival: ToolId): SettledEquals['because'] | undefined {
    const [own, its] = [graph.node(tool)?.runs ?? 0, graph.node(rival)?.runs ?? 0];
    if (own >= USED.least && own >= USED.timesMore * its) return 'used more often';
    if (its >= USED.least && its >= USED.timesMore * own) return undefined;
    const gain = reliabilityOf(graph, tool) - reliabilityOf(graph, rival);
    return gain >= MORE_RELIABLE ? 'more reliable' : undefined;
  }
}

/** Whether the intent has a word of the name of the first that the name of the second has not. */
function isNamed(
  first: ToolId,
  second: ToolId,
  { likeness, said }: { readonly likeness: Likenesses; readonly said: ReadonlySet<string> },
): boolean {
  const without = new Set(likeness.wordsOf(second).name);
  return likeness.wordsOf(first).name.some((word) => said.has(word) && !without.has(word));
}
