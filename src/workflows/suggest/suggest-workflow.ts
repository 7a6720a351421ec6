import {
  parseToolId,
  PmlError,
  type SuggestionMode,
  type Task,
  type TaskId,
  taskId,
  type ToolId,
} from '../../core/index.js';
import { coverByCapabilities } from '../../graph/index.js';
import { LINKED_FROM, SPECULATED_FROM, SUGGESTED_FROM } from '../../learning/index.js';
import { fillPlan, type FilledPlan } from '../../planner/index.js';
import type { PlanLink, Suggestion } from '../../suggest/index.js';
import { isCallable, isSafe } from '../../tools/index.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Workflows } from '../workflows.js';
import { completeSuggestion } from './complete-suggestion.js';
import { placesOf, similarRuns } from './past-of-suggestion.js';

export interface SuggestedWorkflow {
  readonly suggestion: Suggestion;
  readonly mode: SuggestionMode;
  /** What the confidence reached, or did not reach where the tasks have to be given. */
  readonly threshold: number;
  /** Everything is known and nothing is changed: it could be run as it is. */
  readonly isReady: boolean;
  readonly filled: FilledPlan;
  /** Capabilities that do several of the tasks at once. */
  readonly covers: readonly { readonly capability: ToolId; readonly tasks: readonly TaskId[] }[];
}

/** How long a first plan may wait for the model and for what is remembered. */
const FIRST_MODEL_MS = 5_000;

/** A plan for an intent, with arguments as far as they are known. Runs nothing. */
export async function suggestWorkflow(
  workflows: Workflows,
  intent: string,
): Promise<SuggestedWorkflow> {
  const wanted = intent.trim();
  if (wanted === '') {
    throw new PmlError('PLAN_INVALID', 'intent is empty: say what is wanted, or give "tasks"');
  }
  await workflows.tools.firstListing();
  await workflows.tools.discovery.prepared(FIRST_MODEL_MS);
  const chosen = usable(workflows, await workflows.suggester.suggest(wanted));
  const { suggestion, filled } = completeSuggestion(workflows, chosen, (one) => {
    return filledPlan(workflows, wanted, one);
  });
  const { tasks } = filled.plan;
  const isReady =
    tasks.length > 0 &&
    filled.holes.length === 0 &&
    tasks.every(({ tool }) => isSafe(workflows.tools, tool));
  const mode = modeOf(suggestion.confidence, isReady);
  return {
    suggestion,
    mode,
    threshold: mode === 'speculative_execution' ? SPECULATED_FROM : SUGGESTED_FROM,
    isReady,
    filled,
    covers: coverByCapabilities(tasks, workflows.graph.shapes).filter(({ capability }) =>
      isCallable(workflows.tools, capability),
    ),
  };
}

function filledPlan(workflows: Workflows, intent: string, suggestion: Suggestion): FilledPlan {
  const tasks = tasksOf(suggestion);
  return fillPlan(
    { tasks, open: new Set(tasks.map(({ id }) => id)) },
    {
      intent,
      tools: plannablesOf(
        workflows,
        tasks.map(({ tool }) => tool),
      ),
      memory: workflows.planning.memory,
      past: workflows.planning.past,
      templates: workflows.planning.templates,
      similar: similarRuns(suggestion),
      places: placesOf(tasks, suggestion),
    },
  );
}

function modeOf(confidence: number, isReady: boolean): SuggestionMode {
  if (confidence < SUGGESTED_FROM) return 'explicit_required';
  return confidence >= SPECULATED_FROM && isReady ? 'speculative_execution' : 'suggestion';
}

/** Without what may not be called, and without links that would only hold a task up. */
function usable(workflows: Workflows, suggestion: Suggestion): Suggestion {
  const isUsable = ({ tool }: { readonly tool: ToolId }) => isCallable(workflows.tools, tool);
  const members = suggestion.members.filter(isUsable);
  const chanceOf = new Map(members.map(({ tool, probability }) => [tool, probability]));
  const isLikely = ({ from, to, probability }: PlanLink) => {
    // Now that both are in the plan it no longer counts how likely they were to be.
    const bothWanted = Math.min(chanceOf.get(from) ?? 0, chanceOf.get(to) ?? 0);
    return bothWanted > 0 && probability >= LINKED_FROM * bothWanted;
  };
  return {
    ...suggestion,
    members,
    links: suggestion.links.filter(isLikely),
    broken: suggestion.broken.filter(isLikely),
    others: suggestion.others.filter(isUsable),
    confidence: suggestion.confidence * shareTrusted(members.length, suggestion.members.length),
  };
}

/** A plan without one of its members is not the one that was judged. */
function shareTrusted(left: number, judged: number): number {
  if (left === 0) return 0;
  return left === judged ? 1 : 0.5;
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
