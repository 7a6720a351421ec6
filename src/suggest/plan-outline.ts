import type { ToolId } from '../core/index.js';
import type { Evidence } from './evidence.js';
import { addedBy, type FeatureWeights, memberFeatures } from './feature-scores.js';
import { choosePlanLinks } from './links/choose-links.js';
import { type LinkOptions, linkSignals } from './links/link-signals.js';
import type { PlanLink } from './links/plan-link.js';
import { type ChosenMembers, chooseMembers, type WeighedMember } from './members/choose-members.js';
import { memberSignals } from './members/member-signals.js';
import { type SettledEquals, settleEquals } from './members/settle-equals.js';

/** A capability in a plan, in the place of tools it calls itself. */
export interface Whole {
  readonly capability: ToolId;
  /** Members of the plan that it does the work of. */
  readonly instead: readonly ToolId[];
  /** Members that take the result of all of it. */
  readonly neededBy: readonly ToolId[];
}

/** How a value that was missing comes to be there. */
export interface AddedPath {
  /** Each gives to the next; the last is the one that lacked a value. */
  readonly nodes: readonly ToolId[];
  /** Those of them that were not in the plan. */
  readonly added: readonly ToolId[];
  /** What the last one lacked. */
  readonly param: string;
}

/** Which tools an intent wants, and which takes values of which. */
export interface PlanOutline extends ChosenMembers {
  /** In the order they are likeliest to run. */
  readonly members: readonly WeighedMember[];
  /** Never a cycle. */
  readonly links: readonly PlanLink[];
  /** Links that were left out because they would close a cycle. */
  readonly broken: readonly PlanLink[];
  /** Capabilities that do what several of the chosen tools would, and which of these. */
  readonly wholes?: readonly Whole[];
  /** Steps that were added because others lack what they give. */
  readonly paths?: readonly AddedPath[];
  /** Members that the request did not decide for against a tool that does the same. */
  readonly settled?: readonly SettledEquals[];
}

export interface OutlineOptions extends LinkOptions {
  /** One weight for each of `MEMBER_SIGNALS` and of `LINK_SIGNALS`. */
  readonly models: {
    readonly members: Float64Array;
    readonly links: Float64Array;
    readonly features?: FeatureWeights;
  };
}

/** The plan that is best to be expected, of what the intent, the past and the tools themselves say. */
export function outlinePlan(
  evidence: Evidence,
  { models, plannable }: OutlineOptions,
): PlanOutline {
  const added = addedBy(models.features?.members, () => memberFeatures(evidence));
  const { members, settled, ...rest } = settleEquals(
    chooseMembers(memberSignals(evidence), models.members, added),
    evidence,
  );
  const chosen = new Map(members.map((one) => [one.tool, one]));
  const { links: candidates, order } = linkSignals([...chosen.keys()], evidence, { plannable });
  const { links, broken } = choosePlanLinks(
    candidates,
    models.links,
    (tool) => chosen.get(tool)?.probability ?? 0,
  );
  return {
    ...rest,
    members: inOrder(order, links).map((tool) => chosen.get(tool)!),
    links,
    broken,
    ...(settled.length > 0 && { settled }),
  };
}

/** As near to the likeliest order as the links allow. */
export function inOrder(order: readonly ToolId[], links: readonly PlanLink[]): readonly ToolId[] {
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
