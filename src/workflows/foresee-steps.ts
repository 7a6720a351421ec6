import { isJsonObject, type RunState, type TaskState } from '../core/index.js';
import { outputsFor } from '../executor/index.js';
import { resolveArgs } from '../plan/index.js';
import type { Caller } from '../servers/index.js';
import type { ForeseenStep } from '../speculation/index.js';
import type { SuggestedWorkflow } from './suggest/suggest-workflow.js';
import type { Workflows } from './workflows.js';

/**
 * Where a run waits for an approval, most people approve. What becomes of the calls made meanwhile
 * corrects it.
 */
const APPROVED_CHANCE = 0.95;

/** The agent is shown a plan: the steps of it that only read may be taken while it thinks. */
export function foreseePlan(
  { foresight }: Workflows,
  { filled, confidence }: SuggestedWorkflow,
  caller: Caller,
): void {
  if (!foresight || filled.holes.length > 0) return;
  // What refers to another step has its arguments when that step has its result.
  const steps = filled.plan.tasks.filter(({ needs }) => needs.length === 0);
  foresight.stepsForeseen(
    caller,
    steps.map(({ tool, args }) => ({ tool, args, confidence })),
    'a step of the suggested plan',
  );
}

/** The run waits for an approval: steps that need nothing more may be taken meanwhile. */
export function foreseeHeld(
  { foresight, tools }: Workflows,
  state: RunState,
  caller: Caller,
): void {
  if (!foresight) return;
  const steps = state.tasks.flatMap((one) => readySteps(state, one));
  const free = steps.filter(({ tool }) => tools.policyOf(tool).ask === undefined);
  if (free.length > 0) foresight.stepsForeseen(caller, free, 'a step behind an approval');
}

function readySteps(state: RunState, { status, task }: TaskState): readonly ForeseenStep[] {
  if (status !== 'needs_approval' && status !== 'waiting') return [];
  const hasAll = task.needs.every((need) =>
    state.tasks.some((other) => other.task.id === need && other.status === 'completed'),
  );
  if (!hasAll) return [];
  try {
    const args = resolveArgs(task, outputsFor(task, state));
    if (!isJsonObject(args)) return [];
    return [{ tool: task.tool, args, confidence: APPROVED_CHANCE }];
  } catch {
    return []; // What an argument refers to is not there: the run will say so.
  }
}
