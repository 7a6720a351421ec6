import { type ApprovalMode, PmlError, type Task } from '../../core/index.js';
import { SPECULATED_FROM } from '../../learning/index.js';
import { orderTasks } from '../../plan/index.js';
import { isSafe } from '../../tools/index.js';
import { round } from '../plan/describe-plan.js';
import { planWorkflow } from '../plan/plan-workflow.js';
import type { Workflows } from '../workflows.js';
import type { SuggestedWorkflow } from './suggest-workflow.js';

export type RunnableSuggestion =
  /** With what PML filled in marked as its guesses. */
  | { readonly kind: 'runnable'; readonly tasks: readonly Task[] }
  | { readonly kind: 'plan'; readonly whyNotRun: string };

/** A change that is as likely wanted must not be left out without a word. */
const MAYBE_WANTED = 0.3;

interface RunOptions {
  readonly approve: ApprovalMode;
  readonly hasContext: boolean;
}

/**
 * Whether a plan may run that the client has not seen. Its tools are PML's choice, so that they must be
 * likely right, lack no value, and change nothing: a tool that writes is never called on a guess.
 */
export async function runnableSuggestion(
  workflows: Workflows,
  suggested: SuggestedWorkflow,
  options: RunOptions,
): Promise<RunnableSuggestion> {
  const unfit = whyNotReady(workflows, suggested);
  if (unfit !== undefined) return { kind: 'plan', whyNotRun: unfit };
  const checked = await checkedTasks(workflows, suggested, options);
  if (checked instanceof PmlError) return { kind: 'plan', whyNotRun: checked.message };
  const stopped = whyStopped(workflows, checked, options);
  return stopped === undefined
    ? { kind: 'runnable', tasks: checked }
    : { kind: 'plan', whyNotRun: stopped };
}

/** What the plan itself lacks. */
export function whyNotReady(
  workflows: Workflows,
  suggested: SuggestedWorkflow,
): string | undefined {
  const { suggestion, filled, confidence } = suggested;
  const { tasks } = filled.plan;
  if (tasks.length === 0) return 'no tool fits';
  const changing = tasks.find(({ tool }) => !isSafe(workflows.tools, tool));
  if (changing) return `${changing.tool} may change something`;
  const left = suggestion.evidence.likely.find(
    ({ tool, probability }) => probability >= MAYBE_WANTED && !isSafe(workflows.tools, tool),
  );
  if (left) return `${left.tool} may be wanted too, and may change something`;
  if (filled.holes.length > 0) {
    return `values are missing: ${filled.holes.map(({ task, param }) => `${task}.${param}`).join(', ')}`;
  }
  if (confidence >= SPECULATED_FROM) return undefined;
  return `not sure enough: ${round(confidence)} of ${SPECULATED_FROM}`;
}

/** The tasks as if the client had sent them, checked the same way, with their guesses still marked. */
async function checkedTasks(
  workflows: Workflows,
  { filled }: SuggestedWorkflow,
  { hasContext }: RunOptions,
): Promise<readonly Task[] | PmlError> {
  const tasks = filled.plan.tasks.map(({ id, tool, args, needs }) => ({ id, tool, args, needs }));
  const guessed = new Map(filled.plan.tasks.map(({ id, guessed: own = {} }) => [id, own]));
  try {
    const planned = await planWorkflow(workflows, tasks, { hasContext, guessed, isReadOnly: true });
    return planned.plan.tasks;
  } catch (error) {
    if (error instanceof PmlError) return error;
    throw error;
  }
}

/** What would stop the run, which then had better be asked for by its tasks. */
function whyStopped(
  { tools }: Workflows,
  tasks: readonly Task[],
  { approve }: RunOptions,
): string | undefined {
  const asking = tasks.find(({ tool }) => tools.admit(tool, { approve }).ask);
  if (asking) return `${asking.tool} asks for approval`;
  const isHeld = approve === 'per_layer' && orderTasks({ tasks }).length > 1;
  return isHeld ? 'the run would stop after each layer' : undefined;
}
