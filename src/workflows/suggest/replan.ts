import {
  type JsonObject,
  PmlError,
  type RunState,
  type Task,
  type ToolId,
} from '../../core/index.js';
import { SURE } from '../../learning/index.js';
import type { SimilarRun } from '../../planner/index.js';
import type { NextStep, WeighedMember } from '../../suggest/index.js';
import { isCallable } from '../../tools/index.js';
import { type PlanOptions, planWorkflow } from '../plan/plan-workflow.js';
import type { Workflows } from '../workflows.js';
import { similarRuns } from './past-of-suggestion.js';
import { recordSteps, type WeighedSteps } from './record-decision.js';

const CANDIDATES = 5;

/** A task that was found for a requirement. */
export interface FoundStep {
  readonly task: Task['id'];
  readonly tool: ToolId;
  /** That the requirement wants it, given what the run has done. */
  readonly probability: number;
  readonly args: JsonObject;
}

export interface FoundTasks {
  readonly tasks: readonly Task[];
  /** The same, likeliest first. */
  readonly steps: readonly FoundStep[];
}

/**
 * Tasks for a new requirement of a run: what the requirement most likely wants, given what the run has
 * done, fed by what it has already found. Throws with the candidates, and what they lack, when that is
 * not clear.
 */
export async function planRequirement(
  workflows: Workflows,
  requirement: string,
  options: PlanOptions,
): Promise<FoundTasks> {
  await workflows.tools.firstListing();
  const steps = await weighTools(workflows, requirement, options.run);
  const { wanted, candidates, similar } = steps;
  if (options.run) recordSteps(workflows, options.run, steps);
  if (wanted.length === 0) {
    const named = candidates
      .slice(0, CANDIDATES)
      .map(({ tool, probability }) => `${tool} (${probability.toFixed(2)})`)
      .join(', ');
    throw new PmlError(
      'PLAN_INVALID',
      `No tool clearly does "${requirement}"${named ? `; nearest: ${named}` : ''}. Nothing was changed: give "tasks" with replan or inject`,
    );
  }
  const tasks = wanted.map((tool) => ({ tool }));
  try {
    const { plan } = await planWorkflow(workflows, tasks, { ...options, requirement, similar });
    return { tasks: plan.tasks, steps: stepsOf(plan.tasks, candidates) };
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    throw new PmlError(
      error.code,
      `${wanted.join(' and ')} seems to do "${requirement}", but the run does not give all it needs:\n${error.message}\nNothing was changed: give "tasks" with replan or inject`,
      { cause: error, details: error.details },
    );
  }
}

function stepsOf(
  tasks: readonly Task[],
  candidates: readonly WeighedMember[],
): readonly FoundStep[] {
  const chances = new Map(candidates.map(({ tool, probability }) => [tool, probability]));
  return tasks
    .map(({ id, tool, args }) => ({ task: id, tool, probability: chances.get(tool) ?? 0, args }))
    .toSorted((a, b) => b.probability - a.probability);
}

/** What the requirement wants by itself, and what usually follows what was done. */
async function weighTools(
  workflows: Workflows,
  requirement: string,
  run: RunState | undefined,
): Promise<WeighedSteps & { readonly similar: readonly SimilarRun[] }> {
  const { suggester } = workflows;
  const { members, others, evidence } = await suggester.suggest(requirement);
  const done = doneIn(run);
  const asked = [run?.intent, requirement].filter(Boolean).join('. ');
  const following: readonly NextStep[] = done.length === 0 ? [] : await suggester.next(asked, done);
  const after = new Map(following.map(({ tool, probability }) => [tool, probability]));
  const weighed = [...members, ...others]
    .filter(({ tool }) => isCallable(workflows.tools, tool))
    .map((one): WeighedMember => {
      const probability = 1 - (1 - one.probability) * (1 - (after.get(one.tool) ?? 0));
      return { ...one, probability };
    });
  const isSure = new Set(weighed.filter(({ probability }) => probability >= SURE));
  return {
    asked,
    done,
    following,
    threshold: SURE,
    wanted: weighed.filter((one) => isSure.has(one)).map(({ tool }) => tool),
    candidates: weighed.toSorted((a, b) => b.probability - a.probability),
    similar: similarRuns({ evidence }),
  };
}

function doneIn(run: RunState | undefined): readonly ToolId[] {
  const own = run?.tasks.filter(({ task }) => task.parent === undefined) ?? [];
  return own.flatMap(({ status, task }) => (status === 'succeeded' ? [task.tool] : []));
}
