import type { EdgeType, ToolId } from '../core/index.js';
import { ContractedPaths } from '../graph/index.js';
import type { PairMemory } from '../planner/index.js';
import type { Evidence } from './evidence.js';
import type { PlanLink } from './links/plan-link.js';
import { allAfter } from './links/without-cycles.js';
import { headViews, votesOf } from './members/head-signals.js';
import { unweighed, withWholes } from './members/whole-capabilities.js';
import { type AddedPath, inOrder, type PlanOutline } from './plan-outline.js';

/** A value that a member needs and no step of the plan gives. */
export interface MissingInput {
  readonly tool: ToolId;
  readonly param: string;
}

/** What a plan lacks after all known arguments are filled in. */
interface Trial {
  readonly holes: readonly MissingInput[];
}

export interface MissingOptions<Tried extends Trial> {
  readonly evidence: Pick<
    Evidence,
    'graph' | 'pairs' | 'likely' | 'similar' | 'toolOf' | 'runs' | 'alike' | 'attention'
  >;
  /** Whether PML may add the tool without being asked. */
  readonly isUsable: (tool: ToolId) => boolean;
  /** Fills in arguments. */
  readonly fill: (shape: PlanOutline) => Tried;
}

export interface WithoutGaps<Tried extends Trial> {
  readonly shape: PlanOutline;
  readonly tried: Tried;
}

/** Edges along which values flow. */
const GIVING: readonly EdgeType[] = ['provides', 'dependency'];
/** Only the likeliest givers of a value are considered. */
const MOST_GIVERS = 4;
/** A giver may itself lack something, and so may the giver of that. */
const MOST_DEPTH = 2;
const MOST_ADDED = 5;
/** Each attempt fills a whole plan. */
const MOST_TRIALS = 12;

/**
 * Adds steps that give what members lack, if past executions or the code of capabilities provide
 * such steps. It adds only steps that leave the plan with less missing than before and lack nothing
 * themselves.
 */
export function addMissing<Tried extends Trial>(
  shape: PlanOutline,
  options: MissingOptions<Tried>,
): WithoutGaps<Tried> {
  const { graph } = options.evidence;
  const paths = new ContractedPaths(graph, { types: GIVING, isStep: options.isUsable });
  const votes = votesOf(headViews(options.evidence));
  let trials = 1;
  const attempt = (one: PlanOutline): WithoutGaps<Tried> => {
    trials += 1;
    return { shape: one, tried: options.fill(one) };
  };
  let current: WithoutGaps<Tried> = { shape, tried: options.fill(shape) };
  for (const gap of current.tried.holes) {
    if (!lacks(current, gap)) continue;
    current = close(current, gap, MOST_DEPTH) ?? current;
  }
  return current;

  function close(
    plan: WithoutGaps<Tried>,
    gap: MissingInput,
    depth: number,
  ): WithoutGaps<Tried> | undefined {
    for (const way of waysInto(gap, plan.shape, {
      ...options.evidence,
      isUsable: options.isUsable,
      paths,
      votes,
    })) {
      if (trials >= MOST_TRIALS) return undefined;
      const extended = extend(plan.shape, way, gap, options);
      if (addedTo(extended, shape).length > MOST_ADDED) continue;
      let next = attempt(extended);
      for (const opened of next.tried.holes) {
        if (depth === 0 || !isNew(opened, plan.shape) || !lacks(next, opened)) continue;
        next = close(next, opened, depth - 1) ?? next;
      }
      const isWhole = next.tried.holes.every((hole) => !isNew(hole, plan.shape));
      const isBetter = next.tried.holes.length < plan.tried.holes.length;
      if (isWhole && isBetter && !lacks(next, gap)) return next;
    }
    return undefined;
  }
}

function lacks({ tried }: WithoutGaps<Trial>, { tool, param }: MissingInput): boolean {
  return tried.holes.some((hole) => hole.tool === tool && hole.param === param);
}

function isNew({ tool }: MissingInput, { members }: PlanOutline): boolean {
  return members.every((member) => member.tool !== tool);
}

function addedTo(shape: PlanOutline, { members }: PlanOutline): readonly ToolId[] {
  const known = new Set(members.map(({ tool }) => tool));
  return shape.members.flatMap(({ tool }) => (known.has(tool) ? [] : [tool]));
}

interface Givers extends Pick<Evidence, 'graph' | 'pairs'> {
  readonly isUsable: (tool: ToolId) => boolean;
  readonly paths: ContractedPaths;
  /** The probability that the attention heads give a tool; 0 while no head is active. */
  readonly votes: (tool: ToolId) => number;
}

/**
 * Ways for a missing value, each ending with the tool that lacks it: from a giver alone, from a
 * member right before the giver, or over a path from a member, in which a capability is one step.
 */
function* waysInto(
  { tool, param }: MissingInput,
  { members, links }: PlanOutline,
  { graph, pairs, isUsable, paths, votes }: Givers,
): Generator<readonly ToolId[]> {
  const own = new Set(members.map((member) => member.tool));
  const later = allAfter(tool, links);
  const direct = graph
    .in(tool, GIVING)
    .flatMap(({ from, weight }) => {
      const times = timesInto(pairs.pair(from, tool), param);
      return times === undefined ? [] : [{ from, times, weight }];
    })
    .toSorted(
      (a, b) =>
        b.times - a.times ||
        votes(b.from) - votes(a.from) ||
        b.weight - a.weight ||
        (a.from < b.from ? -1 : 1),
    )
    .map(({ from }) => from);
  const givers = [...new Set([...direct, ...direct.flatMap((one) => paths.endingWith(one))])]
    .filter((giver) => !own.has(giver) && !later.has(giver) && isUsable(giver))
    .slice(0, MOST_GIVERS);
  const starts = [...own].filter((id) => !later.has(id));
  for (const giver of givers) {
    const before = starts.find((start) => GIVING.some((type) => graph.edge(start, giver, type)));
    yield [...(before ? [before] : []), giver, tool];
    const path = before ? undefined : paths.lead(starts, giver)?.steps;
    if (path && !path.some((step) => later.has(step))) yield [...path, tool];
  }
}

/** How often this parameter took its value there; undefined if it was always another one. */
function timesInto({ flows }: PairMemory, param: string): number | undefined {
  const known = flows.filter((flow) => flow.param !== undefined);
  // If no flow recorded its parameter, it may have been this one.
  if (known.length === 0) return 0;
  const times = known.flatMap((flow) => (flow.param === param ? [flow.times] : []));
  return times.length === 0 ? undefined : times.reduce((sum, one) => sum + one, 0);
}

function extend(
  shape: PlanOutline,
  nodes: readonly ToolId[],
  { tool, param }: MissingInput,
  { evidence }: Pick<MissingOptions<Trial>, 'evidence'>,
): PlanOutline {
  const chanceOf = new Map(shape.members.map((member) => [member.tool, member.probability]));
  const chance = chanceOf.get(tool) ?? 0;
  const added = nodes.filter((node) => !chanceOf.has(node));
  const isKnown = (from: ToolId, to: ToolId) =>
    shape.links.some((link) => link.from === from && link.to === to);
  // A step that exists only for another is as likely as that one.
  const chain = nodes.slice(1).flatMap((to, place): PlanLink[] => {
    const from = nodes[place]!;
    return isKnown(from, to) ? [] : [{ from, to, probability: chance }];
  });
  const links = [...shape.links, ...chain];
  const weighed = new Map(shape.others.map((one) => [one.tool, one]));
  const byTool = new Map([
    ...added.map(
      (one) =>
        [one, { ...(weighed.get(one) ?? unweighed(one, chance)), probability: chance }] as const,
    ),
    ...shape.members.map((one) => [one.tool, one] as const),
  ]);
  const extended = {
    ...shape,
    members: inOrder([...byTool.keys()], links).map((one) => byTool.get(one)!),
    links,
    others: shape.others.filter((one) => !byTool.has(one.tool)),
    paths: withPath(shape.paths ?? [], { nodes, added, param }),
  };
  return withWholes(extended, evidence);
}

/** A path that leads to the beginning of another becomes part of it. */
function withPath(paths: readonly AddedPath[], path: AddedPath): readonly AddedPath[] {
  const next = paths.find(({ nodes }) => nodes[0] === path.nodes.at(-1));
  if (!next) return [...paths, path];
  const joined = {
    nodes: [...path.nodes, ...next.nodes.slice(1)],
    added: [...path.added, ...next.added],
    param: next.param,
  };
  return paths.map((one) => (one === next ? joined : one));
}
