import type { ToolId } from '../core/index.js';
import { chooseLinks, type PlanLink } from './choose-links.js';
import { type ChosenMembers, chooseMembers, type WeighedMember } from './choose-members.js';
import type { Evidence } from './evidence.js';
import { type LinkOptions, linkSignals } from './link-signals.js';
import { memberSignals } from './member-signals.js';

/** Which tools an intent wants, and which takes values of which. */
export interface PlanShape extends ChosenMembers {
  /** In the order they are likeliest to run. */
  readonly members: readonly WeighedMember[];
  /** Never a cycle. */
  readonly links: readonly PlanLink[];
  /** Links that were left out because they would close a cycle. */
  readonly broken: readonly PlanLink[];
}

export interface ShapeOptions extends LinkOptions {
  /** One weight for each of `MEMBER_SIGNALS` and of `LINK_SIGNALS`. */
  readonly models: { readonly members: Float64Array; readonly links: Float64Array };
}

/** The plan that is best to be expected, of what the intent, the past and the tools themselves say. */
export function shapePlan(evidence: Evidence, { models, plannable }: ShapeOptions): PlanShape {
  const { members, ...rest } = chooseMembers(memberSignals(evidence), models.members);
  const chosen = new Map(members.map((one) => [one.tool, one]));
  const { links: candidates, order } = linkSignals([...chosen.keys()], evidence, { plannable });
  const { links, broken } = chooseLinks(
    candidates,
    models.links,
    (tool) => chosen.get(tool)?.probability ?? 0,
  );
  return {
    ...rest,
    members: inOrder(order, links).map((tool) => chosen.get(tool)!),
    links,
    broken,
  };
}

/** As near to the likeliest order as the links allow. */
function inOrder(order: readonly ToolId[], links: readonly PlanLink[]): readonly ToolId[] {
  const left = [...order];
  const sorted: ToolId[] = [];
  while (left.length > 0) {
    // There always is one, for links have no cycle.
    const at = left.findIndex((tool) => {
      return !links.some(({ from, to }) => to === tool && left.includes(from));
    });
    sorted.push(...left.splice(at, 1));
  }
  return sorted;
}
