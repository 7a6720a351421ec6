import type { ToolId } from '../../core/index.js';
import { importanceOf, type Metrics } from '../../graph/index.js';
import { MISSED_FROM } from '../../learning/index.js';
import {
  type AddedPath,
  type Evidence,
  headReasons,
  type Suggestion,
  type Whole,
} from '../../suggest/index.js';
import { round } from '../plan/describe-plan.js';
import type { Workflows } from '../workflows.js';

/** Why a plan is as it is. */
export interface SuggestionReasons {
  /** Set if PML compared words only, without the model. */
  readonly compared?: 'words';
  /** `from → to`, with how likely and how often. */
  readonly direct: readonly string[];
  /** Chains over more than one step. */
  readonly transitive: readonly string[];
  /** Steps that PML added because they give missing arguments of other steps. */
  readonly path?: readonly AddedSteps[];
  /** Capabilities that replace tools, and the tasks that need their whole result. */
  readonly whole?: readonly string[];
  /** For each tool, why heads of attention voted for it. Missing while no head is in use. */
  readonly attention?: Readonly<Record<string, readonly string[]>>;
  /** From 0 to 1, most important first. */
  readonly page_rank: Readonly<Record<string, number>>;
  /** Past executions that support the plan. */
  readonly runs: readonly {
    readonly run: string;
    readonly intent: string;
    readonly share: number;
  }[];
  /** Evidence against the plan. */
  readonly against: readonly string[];
}

interface AddedSteps {
  /** One after the other; those that were not in the plan are in `added`. */
  readonly nodes: readonly string[];
  readonly added: readonly string[];
  /** The value that each step gives to the next. */
  readonly gives: readonly string[];
}

const SHOWN_RUNS = 3;
const MOST_CHAINS = 5;
/** Fewer failures are chance. */
const TELLING_FAILURES = 2;

export function explainSuggestion(
  {
    graph,
    metrics,
  }: Pick<Workflows, 'graph'> & { readonly metrics: { readonly current: Metrics } },
  suggestion: Suggestion,
): SuggestionReasons {
  const { members, links, broken, evidence, paths = [], wholes = [] } = suggestion;
  const tools = members.map(({ tool }) => tool);
  const own = new Set(tools);
  const computed = metrics.current;
  return {
    ...(evidence.byMeaning ? {} : { compared: 'words' as const }),
    direct: links.map(({ from, to, probability }) => {
      const { flowedRuns, together } = evidence.pairs.pair(from, to);
      return `${from} → ${to} (${probability.toFixed(2)}; ${flowedRuns} of ${together} past runs)`;
    }),
    transitive: chainsOf(links).map((path) => {
      return `${path.join(' → ')} (${path.length - 1} steps)`;
    }),
    ...(paths.length > 0 && { path: paths.map((path) => addedSteps(path, evidence)) }),
    ...(wholes.length > 0 && { whole: wholes.map(tellWhole) }),
    ...(evidence.attention && { attention: votesFor(tools, evidence) }),
    page_rank: Object.fromEntries(
      tools
        .map((tool) => [tool, round(importanceOf(computed, tool))] as const)
        .toSorted(([, a], [, b]) => b - a),
    ),
    runs: evidence.similar
      .filter(({ plan }) => plan.tools.some((tool) => own.has(tool)))
      .slice(0, SHOWN_RUNS)
      .map(({ plan, share }) => ({ run: plan.id, intent: plan.intent, share: round(share) })),
    against: [
      ...tools.flatMap((tool) => failuresOf(graph, tool)),
      ...evidence.likely
        .filter(({ tool, probability }) => probability >= MISSED_FROM && !own.has(tool))
        .flatMap(({ tool }) => failuresOf(graph, tool))
        .map((failed) => `${failed} and was left out`),
      ...broken.map(({ from, to, probability }) => {
        return `${from} → ${to} (${probability.toFixed(2)}) was left out: it would close a cycle`;
      }),
    ],
  };
}

function votesFor(
  tools: readonly ToolId[],
  evidence: Evidence,
): Readonly<Record<string, readonly string[]>> {
  const told = Array.from(headReasons(evidence, tools), ([tool, reasons]) => {
    return [tool, reasons.map(({ because }) => `because ${because}`)] as const;
  });
  return Object.fromEntries(told.filter(([, reasons]) => reasons.length > 0));
}

function addedSteps({ nodes, added, param }: AddedPath, { pairs }: Evidence): AddedSteps {
  const gives = nodes.slice(1).map((to, place) => {
    const from = nodes[place]!;
    const { flows } = pairs.pair(from, to);
    const isLast = place === nodes.length - 2;
    const flow = isLast ? flows.find((one) => one.param === param) : flows[0];
    const taken = isLast ? param : flow?.param;
    const given = flow?.field === undefined ? `the result of ${from}` : `${from}.${flow.field}`;
    return `${given} → ${taken === undefined ? to : `${to}.${taken}`}`;
  });
  return { nodes, added, gives };
}

function tellWhole({ capability, instead, neededBy }: Whole): string {
  const done = `${capability} replaces ${instead.join(', ')}`;
  return neededBy.length === 0 ? done : `${done}; ${neededBy.join(', ')} needs its whole result`;
}

function failuresOf(graph: Workflows['graph'], tool: ToolId): readonly string[] {
  const { calls = 0, failures = 0 } = graph.node(tool) ?? {};
  const isTelling = failures >= TELLING_FAILURES && failures * 3 >= calls;
  return isTelling ? [`${tool} failed in ${failures} of ${calls} calls`] : [];
}

/** Chains over more than one step, the longest first. */
export function chainsOf(links: Suggestion['links']): readonly (readonly ToolId[])[] {
  const after = new Map<ToolId, ToolId[]>();
  for (const { from, to } of links) after.set(from, [...(after.get(from) ?? []), to]);
  const targets = new Set(links.map(({ to }) => to));
  const starts = [...after.keys()].filter((tool) => !targets.has(tool));
  const found: ToolId[][] = [];
  const walk = (path: ToolId[]): void => {
    const next = after.get(path.at(-1)!) ?? [];
    if (next.length === 0 && path.length > 2) found.push(path);
    for (const tool of next) if (found.length < MOST_CHAINS * 4) walk([...path, tool]);
  };
  for (const start of starts) walk([start]);
  return found.toSorted((a, b) => b.length - a.length).slice(0, MOST_CHAINS);
}
