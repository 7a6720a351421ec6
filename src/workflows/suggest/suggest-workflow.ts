import { type PathSuccess, predictPathSuccess } from '../../attention/index.js';
import {
  PmlError,
  type SuggestionMode,
  type Task,
  type TaskId,
  type ToolId,
} from '../../core/index.js';
import { coverByCapabilities } from '../../graph/index.js';
import { LINKED_FROM, SPECULATED_FROM, SUGGESTED_FROM } from '../../learning/index.js';
import type { ParsedPlan } from '../../plan/index.js';
import {
  argumentConfidence,
  type FilledPlan,
  fillPlan,
  type FillPlanOptions,
} from '../../planner/index.js';
import { planConfidence, type PlanLink, type Suggestion } from '../../suggest/index.js';
import { isCallable, isSafe } from '../../tools/index.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Workflows } from '../workflows.js';
import { completeSuggestion } from './complete-suggestion.js';
import { dropNeedless } from './drop-needless.js';
import { placesOf, similarRuns } from './past-of-suggestion.js';
import { placeNamedValues } from './place-values.js';
import { repeatForListed } from './repeat-steps.js';
import { suggestFitting } from './suggest-fitting.js';
import { idsFor } from './task-ids.js';

export interface SuggestedWorkflow {
  readonly suggestion: Suggestion;
  readonly mode: SuggestionMode;
  /** That the tools, and all values that PML filled in, are what was wanted. */
  readonly confidence: number;
  /**
   * The threshold that the confidence of the tools reached, or did not reach if the agent has to give the tasks.
   */
  readonly threshold: number;
  /** The plan has all values and changes nothing, so it could run unchanged. */
  readonly isReady: boolean;
  /** How likely all of it succeeds; missing if its tools were never called. */
  readonly success?: PathSuccess;
  readonly filled: FilledPlan;
  /** Capabilities that do several tasks at once. */
  readonly covers: readonly { readonly capability: ToolId; readonly tasks: readonly TaskId[] }[];
}

/** How long the first plan may wait for the model and for the memory. */
const FIRST_MODEL_MS = 5_000;

export interface SuggestOptions {
  /** Removes members that do not fit the caller's purpose. */
  readonly choose?: (suggestion: Suggestion) => Suggestion;
  readonly fill?: (plan: ParsedPlan, options: FillPlanOptions) => FilledPlan;
}

/** A plan for an intent, with arguments as far as they are known. Runs nothing. */
export async function suggestWorkflow(
  workflows: Workflows,
  intent: string,
  { choose = (one) => one, fill = fillPlan }: SuggestOptions = {},
): Promise<SuggestedWorkflow> {
  const wanted = intent.trim();
  if (wanted === '') {
    throw new PmlError('PLAN_INVALID', 'intent is empty: say what is wanted, or give "tasks"');
  }
  await workflows.tools.readyToSearch();
  await workflows.past().prepared(FIRST_MODEL_MS);
  const isReading = (tool: ToolId) => isSafe(workflows.tools, tool);
  const filledFor = (one: Suggestion) => {
    const fillFor = (asked: string) => filledPlan(workflows, asked, { suggestion: one, fill });
    const filled = fillFor(wanted);
    // A plan that joins a run shares its task ids with the run.
    return fill === fillPlan
      ? repeatForListed(filled, { intent: wanted, isReading, fillFor })
      : filled;
  };
  const known = {
    intent: wanted,
    isReading,
    fill: filledFor,
  };
  const complete = (one: Suggestion) => {
    const completed = completeSuggestion(workflows, choose(usable(workflows, one)), filledFor);
    const placed = placeNamedValues(completed, known);
    const smaller = dropNeedless(placed, known);
    // A step that went may have kept another one from taking a value.
    return smaller === placed ? placed : placeNamedValues(smaller, known);
  };
  const { suggestion, filled } = suggestFitting(
    workflows,
    await workflows.suggester.suggest(wanted),
    complete,
  );
  const { tasks } = filled.plan;
  const isReady =
    tasks.length > 0 &&
    filled.holes.length === 0 &&
    tasks.every(({ tool }) => isSafe(workflows.tools, tool));
  const success = predictPathSuccess(
    { steps: tasks.map(({ tool }) => tool), links: suggestion.links },
    workflows.past().features,
  );
  const ofValues = argumentConfidence(filled, workflows.planning.past);
  const confidence = planConfidence(suggestion.confidence, ofValues);
  const mode = modeOf(suggestion.confidence, isReady ? confidence : 0);
  return {
    suggestion,
    mode,
    confidence,
    threshold: mode === 'speculative_execution' ? SPECULATED_FROM : SUGGESTED_FROM,
    isReady,
    ...(success && { success }),
    filled,
    covers: coverByCapabilities(tasks, workflows.graph.shapes).filter(({ capability }) =>
      isCallable(workflows.tools, capability),
    ),
  };
}

interface Filling extends Required<Pick<SuggestOptions, 'fill'>> {
  readonly suggestion: Suggestion;
}

function filledPlan(
  workflows: Workflows,
  intent: string,
  { suggestion, fill }: Filling,
): FilledPlan {
  const tasks = tasksOf(suggestion);
  return fill(
    { tasks, open: new Set(tasks.map(({ id }) => id)) },
    {
      intent,
      tools: plannablesOf(
        workflows,
        tasks.map(({ tool }) => tool),
      ),
      memory: workflows.planning.memory,
      ...workflows.bindings.correction,
      past: workflows.planning.past,
      templates: workflows.planning.templates,
      similar: similarRuns(suggestion),
      places: placesOf(tasks, suggestion),
    },
  );
}

/**
 * Tools that are likely right are worth showing, for the agent checks their values. A plan may run
 * speculatively only if its values are likely right too.
 */
function modeOf(ofTools: number, ofAll: number): SuggestionMode {
  if (ofTools < SUGGESTED_FROM) return 'explicit_required';
  return ofAll >= SPECULATED_FROM ? 'speculative_execution' : 'suggestion';
}

/**
 * The suggestion without tools that may not be called, and without links that would only delay a
 * task.
 */
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

/** The confidence applies to the whole plan, so a plan with fewer members is trusted less. */
function shareTrusted(left: number, judged: number): number {
  if (left === 0) return 0;
  return left === judged ? 1 : 0.5;
}

/** A task for each member, named after its tool. */
function tasksOf({ members, links }: Suggestion): readonly Task[] {
  const idOf = idsFor(members.map(({ tool }) => tool));
  return members.map(({ tool }) => ({
    id: idOf.get(tool)!,
    tool,
    args: {},
    needs: links.filter(({ to }) => to === tool).map(({ from }) => idOf.get(from)!),
  }));
}
