import { isCapability, type ToolId } from '../../core/index.js';
import {
  callsInside,
  type KnowledgeGraph,
  neededWhole,
  transitiveReliability,
} from '../../graph/index.js';
import {
  CAPABILITY_FROM,
  CAPABILITY_NEEDED,
  CAPABILITY_RELIABLE,
  WANTED_BESIDE,
} from '../../learning/index.js';
import type { Evidence } from '../evidence.js';
import type { PlanLink } from '../links/plan-link.js';
import { withoutCycles } from '../links/without-cycles.js';
import { inOrder, type PlanOutline } from '../plan-outline.js';
import type { WeighedMember } from './choose-members.js';
import { MEMBER_SIGNALS } from './member-signals.js';

type Known = Pick<Evidence, 'graph' | 'pairs' | 'likely' | 'similar' | 'toolOf'>;

/**
 * Lets capabilities be one step. Nothing is done twice, by a capability and by tools it calls; what
 * takes the result of a whole capability waits for all of it, and for nothing inside it.
 */
export function withWholes(shape: PlanOutline, evidence: Known): PlanOutline {
  const { graph } = evidence;
  const hasCapability = shape.members.some(({ tool }) => isCapability(tool));
  if (graph.shapes.length === 0 && !hasCapability) return shape;
  let plan = shape;
  for (const capability of candidatesOf(shape, evidence)) {
    // One that is done by another is not put back.
    const isDone = plan.wholes?.some(({ instead }) => instead.includes(capability));
    if (!isDone) plan = placed(plan, capability, evidence);
  }
  return waiting(plan, evidence);
}

/** Capabilities that may do several of the members at once; those that do the most first. */
function candidatesOf({ members }: PlanOutline, { graph, likely, toolOf }: Known) {
  const own = new Set(members.map(({ tool }) => tool));
  const near = likely.filter(
    ({ tool, probability }) => isCapability(tool) && probability >= CAPABILITY_FROM,
  );
  const found = new Set([
    ...[...own].filter(isCapability),
    ...[...own].flatMap((tool) => wholesBefore(graph, tool, own)),
    ...near.map(({ tool }) => tool).filter((tool) => isAllOf(graph, tool, own)),
  ]);
  return [...found]
    .filter((capability) => toolOf(capability) !== undefined)
    .map((capability) => ({ capability, size: callsInside(graph, capability).size }))
    .toSorted((a, b) => b.size - a.size || (a.capability < b.capability ? -1 : 1))
    .map(({ capability }) => capability);
}

/** Capabilities that a member needs all of, as far as the plan can have them. */
function wholesBefore(
  graph: KnowledgeGraph,
  member: ToolId,
  own: ReadonlySet<ToolId>,
): readonly ToolId[] {
  const others = new Set(own);
  others.delete(member);
  const edges = neededWhole(graph, member, others)?.edges ?? [];
  return edges.flatMap(({ needs, gives }) => (gives === member ? needs : []));
}

/** Whether a capability does all members, nothing more and nothing less, and can be relied on. */
function isAllOf(graph: KnowledgeGraph, capability: ToolId, own: ReadonlySet<ToolId>): boolean {
  const tools = toolsInside(graph, capability);
  const isSame = tools.size === own.size && [...tools].every((tool) => own.has(tool));
  return isSame && transitiveReliability(graph, capability) >= CAPABILITY_RELIABLE;
}

function toolsInside(graph: KnowledgeGraph, capability: ToolId): ReadonlySet<ToolId> {
  return new Set([...callsInside(graph, capability)].filter((call) => !isCapability(call)));
}

/** The plan with a capability instead of its tools, or with these instead of the capability. */
function placed(plan: PlanOutline, capability: ToolId, evidence: Known): PlanOutline {
  const { graph } = evidence;
  const inside = callsInside(graph, capability);
  const own = new Map(plan.members.map((one) => [one.tool, one]));
  // What was added for the value it gives does not come out of the whole.
  const brought = new Set(plan.paths?.flatMap(({ added }) => added));
  const doubled = plan.members.filter(({ tool }) => inside.has(tool) && !brought.has(tool));
  if (doubled.length === 0) return plan;
  const outside = [...own.keys()].filter((tool) => tool !== capability && !inside.has(tool));
  const tools = new Set(own.keys());
  const neededBy = outside.filter((tool) => {
    const isGiver = graph.edge(capability, tool, 'dependency') !== undefined;
    return isGiver && wholesBefore(graph, tool, tools).includes(capability);
  });
  const weighed = own.get(capability);
  const isWhole = [...toolsInside(graph, capability)].every((tool) => own.has(tool));
  const isTakenApart = plan.links.some(
    ({ from, to }) => inside.has(from) && outside.includes(to) && takesPart([from, to]),
  );
  const dropped = doubled.filter(({ tool }) => !isWantedBeside(capability, tool, evidence));
  if (!weighed) {
    // It is put in only where it can take the place of all of it.
    const canReplace = isWhole && !isTakenApart && dropped.length === doubled.length;
    return canReplace ? (replaced(plan, memberFor(capability), dropped, neededBy) ?? plan) : plan;
  }
  if (neededBy.length > 0) return replaced(plan, weighed, dropped, neededBy) ?? plan;
  const likeliest = Math.max(...doubled.map(({ probability }) => probability));
  const isBetter = !isTakenApart && (isWhole || weighed.probability >= likeliest);
  if (isBetter) return replaced(plan, weighed, dropped, neededBy) ?? plan;
  return isWhole || weighed.probability < likeliest ? without(plan, capability) : plan;

  /** Takes a value of a call that is known not to come out of the whole. */
  function takesPart([from, to]: readonly [ToolId, ToolId]): boolean {
    const alone = graph.edge(from, to, 'provides')?.observed ?? 0;
    return alone > (graph.edge(capability, to, 'dependency')?.observed ?? 0);
  }

  function memberFor(tool: ToolId): WeighedMember {
    const least = Math.min(...doubled.map(({ probability }) => probability));
    const known = plan.others.find((one) => one.tool === tool);
    return known
      ? { ...known, probability: Math.max(known.probability, least) }
      : unweighed(tool, least);
  }
}

/** A member for which nothing was weighed: others bring it with them. */
export function unweighed(tool: ToolId, probability: number): WeighedMember {
  return { tool, probability, signals: new Float64Array(MEMBER_SIGNALS.length) };
}

function isWantedBeside(capability: ToolId, tool: ToolId, { similar }: Known): boolean {
  let withBoth = 0;
  let all = 0;
  for (const { plan, share } of similar) {
    if (!plan.tools.includes(capability)) continue;
    all += share;
    if (plan.tools.includes(tool)) withBoth += share;
  }
  return withBoth > 0 && withBoth >= WANTED_BESIDE * all;
}

/** Nothing if other steps would have to come both before and after it. */
function replaced(
  plan: PlanOutline,
  whole: WeighedMember,
  dropped: readonly WeighedMember[],
  neededBy: readonly ToolId[],
): PlanOutline | undefined {
  const gone = new Set(dropped.map(({ tool }) => tool));
  const stepOf = (tool: ToolId) => (gone.has(tool) ? whole.tool : tool);
  const strongest = new Map<string, PlanLink>();
  for (const { from, to, probability } of plan.links) {
    const link = { from: stepOf(from), to: stepOf(to), probability };
    const key = `${link.from}\n${link.to}`;
    const known = strongest.get(key)?.probability ?? 0;
    if (link.from !== link.to && probability > known) strongest.set(key, link);
  }
  const isNew = !plan.members.some(({ tool }) => tool === whole.tool);
  const { links, broken } = withoutCycles(byChance([...strongest.values()]));
  if (isNew && broken.length > 0) return undefined;
  const first = plan.members.findIndex(({ tool }) => gone.has(tool));
  const members = plan.members.flatMap((one, place) => [
    ...(isNew && place === first ? [whole] : []),
    ...(gone.has(one.tool) ? [] : [one]),
  ]);
  const instead = dropped.map(({ tool }) => tool);
  return {
    ...plan,
    members: sorted(members, links),
    links,
    broken: [...plan.broken.filter(({ from, to }) => !gone.has(from) && !gone.has(to)), ...broken],
    // What it does is in the plan with it, and no rival that was left out.
    others: plan.others.filter(({ tool }) => tool !== whole.tool),
    wholes: [...(plan.wholes ?? []), { capability: whole.tool, instead, neededBy }],
  };
}

function without(plan: PlanOutline, left: ToolId): PlanOutline {
  const isOut = ({ from, to }: PlanLink) => from === left || to === left;
  const links = plan.links.filter((link) => !isOut(link));
  return {
    ...plan,
    members: sorted(
      plan.members.filter(({ tool }) => tool !== left),
      links,
    ),
    links,
    broken: plan.broken.filter((link) => !isOut(link)),
  };
}

/** Makes members wait for all of the capabilities they need, or for all that those would do. */
function waiting(plan: PlanOutline, { graph, pairs }: Known): PlanOutline {
  const chanceOf = new Map(plan.members.map(({ tool, probability }) => [tool, probability]));
  const own = new Set(chanceOf.keys());
  const needed = new Map<string, PlanLink>();
  const loose = new Set<PlanLink>();
  for (const tool of own) {
    for (const capability of wholesBefore(graph, tool, own)) {
      const inside = callsInside(graph, capability);
      if (inside.has(tool)) continue;
      const isThere = own.has(capability);
      const before = isThere ? [capability] : lastOf([...inside], own, plan.links);
      const { flowed, recorded } = pairs.pair(capability, tool);
      // If both are in the plan, the capability probably serves the tool.
      const takes = Math.max(CAPABILITY_NEEDED, Math.min(1, flowed / Math.max(1, recorded)));
      for (const from of before) {
        const bothWanted = Math.min(chanceOf.get(from)!, chanceOf.get(tool)!);
        needed.set(`${from}\n${tool}`, { from, to: tool, probability: takes * bothWanted });
      }
      for (const link of plan.links) {
        const isInside = isThere && inside.has(link.from);
        const isSame = before.includes(link.from);
        if (link.to === tool && (isInside || isSame)) loose.add(link);
      }
    }
  }
  if (needed.size === 0) return plan;
  const rest = plan.links.filter((link) => !loose.has(link));
  const kept = Array.from(needed.values(), (link) => likelier(link, plan.links));
  const { links, broken } = withoutCycles([...byChance(kept), ...byChance(rest)]);
  return {
    ...plan,
    members: sorted(plan.members, links),
    links: byChance(links),
    broken: [...plan.broken, ...broken],
  };
}

/** Those of the calls in a plan after which none of the others comes. */
function lastOf(
  calls: readonly ToolId[],
  own: ReadonlySet<ToolId>,
  links: readonly PlanLink[],
): readonly ToolId[] {
  const there = new Set(calls.filter((call) => own.has(call)));
  return [...there].filter((call) => {
    return !links.some(({ from, to }) => from === call && there.has(to));
  });
}

function likelier(link: PlanLink, links: readonly PlanLink[]): PlanLink {
  const known = links.find(({ from, to }) => from === link.from && to === link.to);
  return known && known.probability > link.probability ? known : link;
}

const byChance = (links: readonly PlanLink[]): readonly PlanLink[] =>
  links.toSorted((a, b) => b.probability - a.probability);

function sorted(
  members: readonly WeighedMember[],
  links: readonly PlanLink[],
): readonly WeighedMember[] {
  const byTool = new Map(members.map((one) => [one.tool, one]));
  return inOrder([...byTool.keys()], links).map((tool) => byTool.get(tool)!);
}
