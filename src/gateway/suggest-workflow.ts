import {
  BUILT_IN_SERVER,
  parseToolId,
  PmlError,
  type Task,
  type TaskId,
  taskId,
  type ToolId,
} from '../core/index.js';
import { coverByCapabilities } from '../graph/index.js';
import { fillPlan, type FilledPlan, type SimilarRun } from '../planner/index.js';
import type { Suggestion } from '../suggest/index.js';
import type { Gateway } from './gateway.js';

/** What an agent is to do with a suggestion. */
export type SuggestionMode = 'explicit_required' | 'suggestion' | 'speculative_execution';

export interface SuggestedWorkflow {
  readonly suggestion: Suggestion;
  readonly mode: SuggestionMode;
  /** Everything is known and nothing is changed: it could be run as it is. */
  readonly isReady: boolean;
  readonly filled: FilledPlan;
  /** Capabilities that do several of the tasks at once. */
  readonly covers: readonly { readonly capability: ToolId; readonly tasks: readonly TaskId[] }[];
}

/** Below this the agent has to say itself what it wants. */
const SUGGESTED_FROM = 0.7;
/** From here on it may be done before it is asked for. */
const SPECULATED_FROM = 0.85;

/** A plan for an intent, with arguments as far as they are known. Runs nothing. */
export async function suggestWorkflow(
  gateway: Gateway,
  intent: string,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<SuggestedWorkflow> {
  const wanted = intent.trim();
  if (wanted === '') {
    throw new PmlError('PLAN_INVALID', 'intent is empty: say what is wanted, or give "tasks"');
  }
  await gateway.firstListing();
  const suggestion = allowed(gateway, await gateway.suggester.suggest(wanted), isReadOnly);
  const tasks = tasksOf(suggestion);
  const ids = tasks.map(({ tool }) => tool);
  const filled = fillPlan(
    { tasks, open: new Set(tasks.map(({ id }) => id)) },
    {
      intent: wanted,
      tools: gateway.planning.tools(ids),
      memory: gateway.planning.memory,
      past: gateway.planning.past,
      similar: similarRuns(suggestion),
    },
  );
  const isSafe = ids.every(
    (id) => gateway.policyOf(id).risk === 'read' && !gateway.policyOf(id).ask,
  );
  const isReady = tasks.length > 0 && filled.holes.length === 0 && isSafe;
  const { confidence } = suggestion;
  return {
    suggestion,
    mode: modeOf(confidence, isReady),
    isReady,
    filled,
    covers: coverByCapabilities(filled.plan.tasks, gateway.graph.shapes).filter(
      ({ capability }) => {
        return gateway.index.get(capability) !== undefined;
      },
    ),
  };
}

/** The most alike is trusted as far as it can be, the others as they are less alike. */
function similarRuns({ evidence: { similar, trust } }: Suggestion): readonly SimilarRun[] {
  const most = similar[0]?.share ?? 1;
  return similar.map(({ plan, share }) => ({ id: plan.id, weight: (trust * share) / most }));
}

function modeOf(confidence: number, isReady: boolean): SuggestionMode {
  if (confidence < SUGGESTED_FROM) return 'explicit_required';
  return confidence >= SPECULATED_FROM && isReady ? 'speculative_execution' : 'suggestion';
}

/** Without what may not be called. */
function allowed(gateway: Gateway, suggestion: Suggestion, isReadOnly: boolean): Suggestion {
  const isAllowed = ({ tool }: { readonly tool: ToolId }) => {
    if (parseToolId(tool).server === BUILT_IN_SERVER) return false;
    const { denied, risk } = gateway.policyOf(tool);
    return !denied && (!isReadOnly || risk === 'read');
  };
  const members = suggestion.members.filter(isAllowed);
  const tools = new Set(members.map(({ tool }) => tool));
  const links = suggestion.links.filter(({ from, to }) => tools.has(from) && tools.has(to));
  const others = suggestion.others.filter(isAllowed);
  // A plan without one of its members is not the one that was judged.
  const isWhole = members.length === suggestion.members.length;
  const confidence = isWhole ? suggestion.confidence : suggestion.confidence / 2;
  return { ...suggestion, members, links, others, confidence };
}

/** One task a member, named after its tool. */
function tasksOf({ members, links }: Suggestion): readonly Task[] {
  const idOf = new Map<ToolId, TaskId>();
  const taken = new Set<string>();
  for (const { tool } of members) {
    const name = parseToolId(tool).tool.replaceAll(/\W+/g, '_').slice(0, 40) || 'task';
    let id = name;
    for (let count = 2; taken.has(id); count++) id = `${name}_${count}`;
    taken.add(id);
    idOf.set(tool, taskId(id));
  }
  return members.map(({ tool }) => ({
    id: idOf.get(tool)!,
    tool,
    args: {},
    needs: links.filter(({ to }) => to === tool).map(({ from }) => idOf.get(from)!),
  }));
}
