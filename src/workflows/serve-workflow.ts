import {
  type ApprovalMode,
  type JsonObject,
  type RunId,
  type Task,
  type TaskError,
  type TaskState,
  THE_USER,
  type ToolResult,
} from '../core/index.js';
import { NO_TRAIL } from '../discovery/index.js';
import type { LiveRun } from '../executor/index.js';
import { READ_TOOL } from '../results/index.js';
import type { RequestContext } from '../tools/index.js';
import { askedOfPerson, whoApproves } from './approve/who-approves.js';
import { foreseePlan } from './foresee-steps.js';
import { describePlan, type PlanStyle } from './plan/describe-plan.js';
import { planWorkflow } from './plan/plan-workflow.js';
import { readWorkflow, type WorkflowRequest } from './plan/read-workflow.js';
import { requestedApproval } from './plan/requested-approval.js';
import { viewerOf } from './plan/shown-guesses.js';
import { callAlone, limitedAnswer } from './run/call-alone.js';
import { ownerOf } from './run/run-owner.js';
import { waitForRun } from './run/wait-for-run.js';
import { filledIn, runAnswer } from './run/workflow-answer.js';
import { describeSuggestion, isShown } from './suggest/describe-suggestion.js';
import { recordSuggestion } from './suggest/record-decision.js';
import { runnableSuggestion } from './suggest/run-suggestion.js';
import { type SuggestedWorkflow, suggestWorkflow } from './suggest/suggest-workflow.js';
import type { Workflows } from './workflows.js';

/** A timer for longer than this fires at once. */
const MOST_WAIT_MS = 2 ** 31 - 1;

/** `pml_execute_workflow`: plans, checks and runs tasks; answers when the run pauses or ends. */
export async function serveWorkflow(
  workflows: Workflows,
  args: JsonObject,
  context: RequestContext,
  { isReadOnly = false } = {},
): Promise<ToolResult> {
  await workflows.tools.catalogLoaded;
  const started = await startWorkflow(workflows, args, { context, isReadOnly });
  if (started.kind !== 'run') return started.answer;
  const { live, context: own = context, answerWithinMs } = started;
  return followRun(workflows, live, own, answerWithinMs);
}

type StartedWorkflow =
  | { readonly kind: 'plan'; readonly answer: ToolResult }
  /** The answer of a call that needed no run. */
  | { readonly kind: 'answered'; readonly answer: ToolResult }
  | {
      readonly kind: 'run';
      readonly live: LiveRun;
      /** The request that waits for the run, with the trail that its calls belong to. */
      readonly context: RequestContext | undefined;
      readonly answerWithinMs: number | undefined;
    };

interface StartOptions {
  /** The request of the client that waits for the run. */
  readonly context?: RequestContext;
  readonly isReadOnly?: boolean;
  /** The approval mode that the user chose, who may also loosen the configured one. */
  readonly approve?: ApprovalMode;
  /** The plan has all details, also if the request does not ask for them. */
  readonly isFull?: boolean;
}

/** Plans and checks tasks; starts their run unless the client wants only the plan. */
export async function startWorkflow(
  workflows: Workflows,
  args: JsonObject,
  options: StartOptions = {},
): Promise<StartedWorkflow> {
  const { context, isReadOnly = false } = options;
  const request = readWorkflow(args);
  const configured = workflows.tools.settings.workflows.approve;
  const approve = options.approve ?? requestedApproval(configured, request.approve);
  const style = { approve, isFull: options.isFull ?? request.detail === 'full' };
  const isDry = request.mode === 'dry_run' || request.mode === 'suggest';
  if (isDry || !isOneTask(request.tasks)) workflows.runs.learnEnded();
  if (request.tasks === undefined) return startIntent(workflows, request, { context, style });
  const completed = await planWorkflow(workflows, request.tasks, {
    hasContext: request.context !== undefined,
    mayHaveHoles: isDry,
    isReadOnly,
    ...(context && { principal: context.caller.principal }),
  });
  const viewer = context && viewerOf(context.caller);
  const tasks = viewer
    ? workflows.shown.withSeen(viewer, { ...request, tasks: completed.plan.tasks })
    : completed.plan.tasks;
  if (isDry) {
    if (viewer) workflows.shown.remember(viewer, { ...request, tasks });
    return {
      kind: 'plan',
      answer: describePlan(workflows, { ...completed, plan: { tasks } }, style),
    };
  }
  const intent = request.intent?.trim();
  const start = { tasks, approve, context, isReadOnly, ...(intent && { intent }) };
  const alone = await callAlone(workflows, request, start);
  if (alone?.kind === 'answered') {
    const owner = context?.caller.principal ?? THE_USER;
    workflows.clients.answered(alone.run);
    return {
      kind: 'answered',
      answer: limitedAnswer(workflows, { run: alone.run, owner }, alone.result),
    };
  }
  if (alone) return { kind: 'run', live: alone.live, context, answerWithinMs: undefined };
  return beginRun(workflows, request, start);
}

function isOneTask(tasks: unknown): boolean {
  return Array.isArray(tasks) && tasks.length === 1;
}

interface IntentOptions {
  readonly context: RequestContext | undefined;
  readonly style: PlanStyle;
}

/** Plans for an intent; runs the plan if the client wants that and the plan is sure and safe. */
async function startIntent(
  workflows: Workflows,
  request: WorkflowRequest,
  { context, style }: IntentOptions,
): Promise<StartedWorkflow> {
  const { intent = '', mode } = request;
  const suggested = await suggestWorkflow(workflows, intent);
  const { approve } = style;
  const hasContext = request.context !== undefined;
  const found =
    mode === 'run'
      ? await runnableSuggestion(workflows, suggested, { approve, hasContext })
      : undefined;
  const isRun = found?.kind === 'runnable';
  // A plan that PML chose and ran itself does not prove that the choice was right.
  recordSuggestion(workflows, intent, suggested, isRun ? undefined : context);
  const { tasks } = suggested.filled.plan;
  if (context && isShown(suggested, style)) {
    workflows.shown.remember(viewerOf(context.caller), { ...request, tasks });
  }
  if (isRun) {
    const own = context && { ...context, trail: { current: NO_TRAIL } };
    return beginRun(workflows, request, {
      tasks: found.tasks,
      approve,
      context: own,
      isReadOnly: true,
    });
  }
  if (context) {
    warmPlanned(workflows, suggested, context);
    foreseePlan(workflows, suggested, context.caller);
  }
  const answer = describeSuggestion(workflows, suggested, style, found?.whyNotRun);
  return { kind: 'plan', answer };
}

interface RunStart {
  readonly tasks: readonly Task[];
  readonly approve: ApprovalMode;
  readonly context: RequestContext | undefined;
  readonly isReadOnly: boolean;
  /** The intent that the run is remembered with. */
  readonly intent?: string;
}

function beginRun(
  workflows: Workflows,
  request: WorkflowRequest,
  { tasks, approve, context, isReadOnly, intent }: RunStart,
): StartedWorkflow {
  // Planning may have waited for servers: no run starts for a request that was cancelled meanwhile.
  context?.signal.throwIfAborted();
  const live = workflows.runs.begin({
    tasks,
    approve,
    context: request.context ?? {},
    ...(isReadOnly && { isReadOnly }),
    ...(intent && { intent }),
    ...(context && ownerOf(context.caller)),
    isDurable:
      tasks.length > 1 || tasks.some(({ tool }) => workflows.tools.policyOf(tool).risk !== 'read'),
  });
  if (context) workflows.clients.attach(live.state.run, context);
  workflows.runs.start(live);
  return { kind: 'run', live, context, answerWithinMs: request.answer_within_ms };
}

/** Starts servers of the shown plan: the client will likely run it. */
function warmPlanned(
  { warming }: Workflows,
  { suggestion }: SuggestedWorkflow,
  { caller }: RequestContext,
): void {
  const likely = suggestion.members.map(({ tool, probability }) => ({ tool, score: probability }));
  warming.warm(likely, 'suggested', caller);
}

/** Waits for a run on behalf of a client and returns the answer about it. */
export async function followRun(
  workflows: Workflows,
  live: LiveRun,
  context: RequestContext,
  answerWithinMs = workflows.tools.settings.workflows.answerWithinMs,
): Promise<ToolResult> {
  const { run, finished, owner = THE_USER } = live.state;
  const { onRun } = context;
  onRun?.(run, answerWithinMs);
  // A finished run was already forgotten; attaching to it would leak the client.
  if (!finished) workflows.clients.attach(run, context, owner);
  try {
    // A client that waits for a task asks for its state whenever it likes.
    await waitForRun(workflows, live, context, onRun ? MOST_WAIT_MS : answerWithinMs);
  } finally {
    workflows.clients.release(run, context);
  }
  if (live.phase !== 'paused') return loneAnswer(workflows, live) ?? runAnswer(workflows, live);
  return runAnswer(workflows, live, {
    isUserAsked: workflows.dialogs.isOpen(live),
    needsPerson: (tool) => whoApproves(workflows.tools, live.state, tool) === 'person',
    isAgentsTurn: askedOfPerson(workflows.tools, live.state).length === 0,
  });
}

/**
 * A finished run of one task is answered like a direct call, so that no part of the tool's result
 * is lost.
 */
function loneAnswer(workflows: Workflows, live: LiveRun): ToolResult | undefined {
  const { run } = live.state;
  const tasks = live.state.tasks.filter(({ task }) => task.parent === undefined);
  const [only] = tasks;
  // A run whose end could not be journaled is not finished, even if its task has a result.
  if (!only || tasks.length > 1 || live.state.script || live.phase !== 'finished') return undefined;
  if (only.status === 'failed' && !only.result)
    return withFilled(failedCall(only.error, run), only);
  if (!('result' in only) || !only.result) return undefined;
  const { result } = only;
  // A page of a kept result has the length that the agent asked for; do not shorten it again.
  if (only.task.tool === READ_TOOL) return result;
  const { owner = THE_USER } = live.state;
  const answer = withFilled(limitedAnswer(workflows, { run, owner }, result), only);
  if (only.status !== 'failed' || result.isError) return answer;
  const note = { type: 'text', text: `[${only.error.code}] ${only.error.message}` };
  return { ...answer, content: [note, ...answer.content], isError: true };
}

/** The unchanged result, followed by the values that PML filled into the call. */
function withFilled(answer: ToolResult, task: TaskState): ToolResult {
  const { filled } = filledIn([task]);
  if (!filled) return answer;
  const note = { type: 'text', text: `filled: ${filled.join('; ')}` };
  const _meta = { ...answer._meta, 'pml/filled': [...filled] };
  return { ...answer, content: [...answer.content, note], _meta };
}

/** The answer of a call without a result: the stable code and the message. */
function failedCall({ code, message }: TaskError, run: RunId): ToolResult {
  return {
    content: [{ type: 'text', text: `[${code}] ${message}` }],
    isError: true,
    _meta: { 'pml/error': { code }, 'pml/run': run },
  };
}
