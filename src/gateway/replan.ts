import {
  BUILT_IN_SERVER,
  parseToolId,
  PmlError,
  type RunState,
  type ToolId,
} from '../core/index.js';
import type { CompletedPlan } from '../planner/index.js';
import type { NextStep, WeighedMember } from '../suggest/index.js';
import type { Gateway } from './gateway.js';
import { type PlanOptions, planWorkflow } from './plan-workflow.js';
import { recordSteps, type WeighedSteps } from './record-decision.js';

const CANDIDATES = 5;
/** Below this chance of being what is wanted, a tool is proposed and not run. */
const SURE = 0.5;

/**
 * Tasks for a new requirement of a run: what the requirement most likely wants, given what the run has
 * done, fed by what it has already found. Throws with the candidates, and what they lack, when that is
 * not clear.
 */
export async function planRequirement(
  gateway: Gateway,
  requirement: string,
  options: PlanOptions,
): Promise<CompletedPlan> {
  await gateway.firstListing();
  const steps = await weighTools(gateway, requirement, options.run);
  const { wanted, candidates } = steps;
  if (options.run) recordSteps(gateway, options.run, steps);
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
    return await planWorkflow(gateway, tasks, { ...options, requirement });
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    throw new PmlError(
      error.code,
      `${wanted.join(' and ')} seems to do "${requirement}", but the run does not give all it needs:\n${error.message}\nNothing was changed: give "tasks" with replan or inject`,
      { cause: error, details: error.details },
    );
  }
}

/** What the requirement wants by itself, and what usually follows what was done. */
async function weighTools(
  { suggester }: Gateway,
  requirement: string,
  run: RunState | undefined,
): Promise<WeighedSteps> {
  const { members, others } = await suggester.suggest(requirement);
  const done = doneIn(run);
  const asked = [run?.intent, requirement].filter(Boolean).join('. ');
  const following: readonly NextStep[] = done.length === 0 ? [] : await suggester.next(asked, done);
  const after = new Map(following.map(({ tool, probability }) => [tool, probability]));
  const weighed = [...members, ...others]
    .filter(({ tool }) => parseToolId(tool).server !== BUILT_IN_SERVER)
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
  };
}

function doneIn(run: RunState | undefined): readonly ToolId[] {
  const own = run?.tasks.filter(({ task }) => task.parent === undefined) ?? [];
  return own.flatMap(({ status, task }) => (status === 'succeeded' ? [task.tool] : []));
}
