import type { ToolId } from '../core/index.js';
import { weigh } from '../ranking/index.js';
import { chooseLinks, type PlanLink } from './choose-links.js';
import type { Evidence, Likely } from './evidence.js';
import { expectedBest } from './expected-best.js';
import { type LinkOptions, linkSignals } from './link-signals.js';
import { memberSignals } from './member-signals.js';

/** Which tools an intent wants, and which takes values of which. */
export interface PlanShape {
  /** In the order they are likeliest to run. */
  readonly members: readonly Likely[];
  /** Never a cycle. */
  readonly links: readonly PlanLink[];
  /** Links that were left out because they would close a cycle. */
  readonly broken: readonly PlanLink[];
  /** Tools that were weighed and left out, likeliest first. */
  readonly others: readonly Likely[];
  /** How right the members are expected to be (F1), from 0 to 1. */
  readonly expected: number;
}

export interface ShapeOptions extends LinkOptions {
  /** One weight for each of `MEMBER_SIGNALS` and of `LINK_SIGNALS`. */
  readonly models: { readonly members: Float64Array; readonly links: Float64Array };
}

const MOST_MEMBERS = 25;
const MOST_OTHERS = 10;

/** The plan that is best to be expected, of what the intent, the past and the tools themselves say. */
export function shapePlan(evidence: Evidence, { models, planning }: ShapeOptions): PlanShape {
  const weighed = memberSignals(evidence)
    .map(({ tool, signals }): Likely => {
      return { tool, probability: 1 / (1 + Math.exp(-weigh(signals, models.members))) };
    })
    .toSorted((a, b) => b.probability - a.probability || (a.tool < b.tool ? -1 : 1));
  const { count, expected } = expectedBest(
    weighed.map(({ probability }) => probability),
    MOST_MEMBERS,
  );
  const chosen = new Map(weighed.slice(0, count).map((one) => [one.tool, one]));
  const { links: candidates, order } = linkSignals([...chosen.keys()], evidence, { planning });
  const { links, broken } = chooseLinks(candidates, models.links);
  return {
    members: inOrder(order, links).map((tool) => chosen.get(tool)!),
    links,
    broken,
    others: weighed.slice(count, count + MOST_OTHERS),
    expected,
  };
}

/** As near to the likeliest order as the links allow. */
function inOrder(order: readonly ToolId[], links: readonly PlanLink[]): readonly ToolId[] {
  const left = [...order];
  const sorted: ToolId[] = [];
  while (left.length > 0) {
    const at = left.findIndex((tool) => {
      return !links.some(({ from, to }) => to === tool && left.includes(from));
    });
    sorted.push(...left.splice(Math.max(0, at), 1));
  }
  return sorted;
}
