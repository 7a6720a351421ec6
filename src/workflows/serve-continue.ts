import {
  isExchange,
  maySee,
  isJsonObject,
  type JsonObject,
  PmlError,
  type RunCommand,
  type RunId,
  runId,
  type RunState,
  type TaskId,
  taskId,
  type TaskState,
  type ToolResult,
} from '../core/index.js';
import { endedHow, type LiveRun, summarizeRun } from '../executor/index.js';
import { type RunView, unknownRun } from '../runs/index.js';
import type { Caller } from '../servers/index.js';
import type { RequestContext } from '../tools/index.js';
import { openTasks } from './approve/open-tasks.js';
import { type AgentDecision, refuseAgent } from './approve/user-first.js';
import { whoApproves } from './approve/who-approves.js';
import { round } from './plan/describe-plan.js';
import { planWorkflow } from './plan/plan-workflow.js';
import { type ContinueRequest, readContinue } from './plan/read-workflow.js';
import { viewerOf } from './plan/shown-guesses.js';
import { isOwner, isReachable } from './run/run-owner.js';
import { runAnswer } from './run/workflow-answer.js';
import { followRun } from './serve-workflow.js';
import { type FoundStep, planRequirement } from './suggest/replan.js';
import type { Workflows } from './workflows.js';

/** Newest runs, of all principals, among which unfinished ones are looked for. */
const SEARCHED_RUNS = 200;
const SHOWN_RUNS = 10;
const SHOWN_CHARACTERS = 100;

const WHO_ARE_YOU =
  'PML cannot tell which runs are yours: give "run", or send the header PML-Client with every request, 32 or more random characters of your own';

/** `pml_continue`: decides what a run asked, or reports its state. */
export async function serveContinue(
  workflows: Workflows,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const request = readContinue(args);
  await workflows.tools.catalogLoaded;
  const run = await runOf(workflows, request, context.caller);
  await assertReachable(workflows, run, context.caller);
  const { signal } = context;
  const changesContext = request.context !== undefined;
  const check = ({ command, live }: Checked) =>
    assertAgentMay(workflows, live, { command, changesContext }, context);
  const { view, found, wasOver } = await decide(workflows, run, request, {
    by: 'agent',
    viewer: viewerOf(context.caller),
    signal,
    check,
  });
  // A run that was over before has one answer, whether or not this process still holds it.
  const answer =
    view.live && !wasOver
      ? await followRun(workflows, view.live, context, request.answer_within_ms)
      : await answerAboutEnd(workflows, view);
  return found ? withFound(answer, found) : answer;
}

async function answerAboutEnd(workflows: Workflows, view: RunView): Promise<ToolResult> {
  await view.live?.idle();
  return runAnswer(workflows, view.live ?? view);
}

/** The answer with what was found for the new requirement: the agent did not name it. */
function withFound(answer: ToolResult, found: readonly FoundStep[]): ToolResult {
  const steps = found.map(({ task, tool, probability, args }) => {
    return { task, tool, score: round(probability), args };
  });
  return {
    ...answer,
    content: [...answer.content, { type: 'text', text: JSON.stringify({ found: steps }) }],
    ...(isJsonObject(answer.structuredContent) && {
      structuredContent: { ...answer.structuredContent, found: steps },
    }),
  };
}

/** Carries out a decision; `wait` decides nothing. */
export async function decideRun(
  workflows: Workflows,
  run: RunId,
  request: ContinueRequest,
  by: DecidedBy,
): Promise<RunView> {
  return (await decide(workflows, run, request, by)).view;
}

interface DecidedBy {
  readonly by: 'agent' | 'user';
  /** Of an agent: tasks that it sends may hold values that PML showed it. */
  readonly viewer?: string;
  readonly signal?: AbortSignal;
  /** Throws if this caller may not make the decision. */
  readonly check?: (decision: Checked) => void;
}

interface Checked {
  readonly command: RunCommand;
  readonly live: LiveRun;
}

/** What a person is asked, or must be asked, no agent decides. */
function assertAgentMay(
  workflows: Workflows,
  live: LiveRun,
  decision: AgentDecision,
  { caller }: RequestContext,
): void {
  const canAsk = caller.capabilities['elicitation'] !== undefined;
  const refusal = refuseAgent(live.state, decision, {
    configured: workflows.tools.settings.workflows.approve,
    isUserAsked: workflows.dialogs.isOpen(live),
    needsPerson: ({ task }) => whoApproves(workflows.tools, live.state, task.tool) === 'person',
    canStillAsk: ({ task }) =>
      canAsk &&
      whoApproves(workflows.tools, live.state, task.tool) !== undefined &&
      !workflows.dialogs.wasLeft(live, task.id),
  });
  if (refusal === undefined) return;
  throw new PmlError('USER_DECIDES', refusal, { details: { run: live.state.run } });
}

interface DecidedRun {
  readonly view: RunView;
  /** Whether the run was finished before the request. */
  readonly wasOver?: boolean;
  /** Tasks that were found for a new requirement. */
  readonly found?: readonly FoundStep[];
}

async function decide(
  workflows: Workflows,
  run: RunId,
  request: ContinueRequest,
  { by, viewer, signal, check }: DecidedBy,
): Promise<DecidedRun> {
  const { decision = 'wait', context } = request;
  const view = await workflows.runs.open(run);
  const message = messageFrom(request);
  if (decision === 'wait') {
    if (message !== undefined) await view.live?.say(message, by);
    return { view, wasOver: view.phase === 'finished' };
  }
  if (view.phase === 'damaged' && view.broken && decision !== 'abort') throw view.broken;
  assertOpen(view.state, decision);
  const planned = await commandOf(workflows, view.state, { ...request, decision });
  const { found } = planned;
  const command = viewer
    ? withSeenTasks(workflows, planned.command, { viewer, state: view.state })
    : planned.command;
  signal?.throwIfAborted();
  const decided = await workflows.runs.decide(run, command, {
    by,
    ...(context && { context }),
    ...(message !== undefined && { message }),
    ...(check && { check: (live) => check({ command, live }) }),
  });
  return { view: decided, ...(found && { found }) };
}

/** Tasks that an agent adds to a run: what PML had shown it is still a guess of PML. */
function withSeenTasks(
  { shown }: Workflows,
  command: RunCommand,
  { viewer, state }: { readonly viewer: string; readonly state: RunState },
): RunCommand {
  if (command.kind !== 'inject' && command.kind !== 'replan') return command;
  const intent = command.kind === 'replan' ? command.requirement : undefined;
  const beside = state.tasks.map(({ task }) => task);
  return { ...command, tasks: shown.withSeen(viewer, { intent, tasks: command.tasks, beside }) };
}

/** The run that is meant. Without an id the answer names the unfinished runs of this principal only. */
async function runOf(
  workflows: Workflows,
  { run }: ContinueRequest,
  caller: Pick<Caller, 'principal' | 'profile'>,
): Promise<RunId> {
  if (run) return runId(run);
  if (isExchange(caller.principal))
    throw new PmlError('BAD_REQUEST', `run is missing. ${WHO_ARE_YOU}`);
  const views = await workflows.runs.list({ limit: SEARCHED_RUNS });
  const open = views
    .filter(({ state }) => !state.finished && isOwner(caller, state))
    .slice(0, SHOWN_RUNS);
  const lines = open.map(({ state, phase }) => {
    const { status } = summarizeRun(state, phase);
    return `${state.run} (${status}${state.intent ? `: ${state.intent.slice(0, SHOWN_CHARACTERS)}` : ''})`;
  });
  const what = lines.length > 0 ? `Unfinished: ${lines.join(', ')}` : 'You have no unfinished run';
  throw new PmlError('BAD_REQUEST', `run is missing. ${what}`);
}

/** A run of another principal, or of another profile, does not exist for this client. */
async function assertReachable(
  { runs }: Workflows,
  run: RunId,
  caller: Pick<Caller, 'principal' | 'profile'>,
): Promise<void> {
  const { state } = await runs.find(run);
  if (!maySee(caller.principal, state.owner)) throw unknownRun(run);
  if (isReachable(caller, state)) return;
  throw new PmlError('RUN_UNKNOWN', `No run ${run} in profile ${caller.profile}`);
}

function messageFrom({ message, because }: ContinueRequest): string | undefined {
  return (message ?? because)?.trim() || undefined;
}

function assertOpen({ run, finished }: RunState, decision: string): void {
  if (!finished) return;
  throw new PmlError(
    'RUN_FINISHED',
    `Cannot ${decision} run ${run}: it has already ${endedHow(finished.outcome)}. Use decision "wait" to read it, or start a new run`,
    { details: { run } },
  );
}

type Decided = ContinueRequest & {
  readonly decision: Exclude<NonNullable<ContinueRequest['decision']>, 'wait'>;
};

interface Commanded {
  readonly command: RunCommand;
  readonly found?: readonly FoundStep[];
}

async function commandOf(
  workflows: Workflows,
  state: RunState,
  request: Decided,
): Promise<Commanded> {
  const { decision } = request;
  if (decision === 'replan') return replanned(workflows, state, request);
  return { command: await plainCommand(workflows, state, { ...request, decision }) };
}

async function plainCommand(
  workflows: Workflows,
  state: RunState,
  request: Decided & { readonly decision: Exclude<Decided['decision'], 'replan'> },
): Promise<RunCommand> {
  const { decision, result } = request;
  const because = messageFrom(request);
  const why = because === undefined ? {} : { because };
  switch (decision) {
    case 'abort':
      return { kind: 'abort', ...why };
    case 'approve':
      return approval(state, request);
    case 'reject':
      return { kind: 'reject', tasks: tasksOf(state, request, [['needs_approval']]), ...why };
    case 'retry':
      return { kind: 'retry', tasks: tasksOf(state, request, [['failed', 'in_doubt']]) };
    case 'skip': {
      // What waits for approval is not what went wrong, and is not to be lost with it.
      const tasks = tasksOf(state, request, [['in_doubt', 'failed'], ['needs_approval']]);
      if (result !== undefined && tasks.length > 1 && !request.tasks) {
        const open = tasks.join(', ');
        throw new PmlError('BAD_REQUEST', `Name in "tasks" whose result it is: one of ${open}`);
      }
      return { kind: 'skip', tasks, ...(result !== undefined && { result }) };
    }
    case 'inject': {
      const { plan } = await planWorkflow(workflows, request.tasks, planOptions(state, request));
      return { kind: 'inject', tasks: plan.tasks };
    }
  }
}

function approval(state: RunState, request: Decided): RunCommand {
  const tasks = tasksOf(state, request, [['needs_approval']]);
  if (request.all_calls !== true) return { kind: 'approve', tasks };
  const tools = state.tasks
    .filter(({ task }) => tasks.includes(task.id))
    .map(({ task }) => task.tool);
  return { kind: 'approve', tasks, tools: [...new Set(tools)] };
}

async function replanned(
  workflows: Workflows,
  state: RunState,
  request: Decided,
): Promise<Commanded> {
  const { requirement } = request;
  if (!requirement) {
    throw new PmlError('BAD_REQUEST', 'replan needs "requirement": what the run should do as well');
  }
  const options = planOptions(state, request);
  if (request.tasks) {
    const { plan } = await planWorkflow(workflows, request.tasks, options);
    return { command: { kind: 'replan', requirement, tasks: plan.tasks } };
  }
  const { tasks, steps } = await planRequirement(workflows, requirement, options);
  return { command: { kind: 'replan', requirement, tasks }, found: steps };
}

function planOptions(state: RunState, { context }: ContinueRequest) {
  const hasContext = context !== undefined || Object.keys(state.context).length > 0;
  return { run: state, hasContext };
}

/** The tasks that are named, or all the run asks about that are in the first of these states. */
function tasksOf(
  state: RunState,
  { decision, tasks }: Decided,
  states: readonly (readonly TaskState['status'][])[],
): readonly TaskId[] {
  if (tasks) return tasks.map(readTask);
  const open = openTasks(state);
  for (const statuses of states) {
    const asked = open.filter(({ status }) => statuses.includes(status));
    if (asked.length > 0) return asked.map(({ task }) => task.id);
  }
  const last = state.decisions.at(-1);
  const before = last ? `; the ${last.by} already decided: ${last.command.kind}` : '';
  throw new PmlError(
    last ? 'RUN_DECIDED' : 'BAD_REQUEST',
    `Run ${state.run} asks for nothing to ${decision}${before}`,
    { details: { run: state.run } },
  );
}

function readTask(task: unknown): TaskId {
  if (typeof task === 'string') return taskId(task);
  if (isJsonObject(task) && typeof task['id'] === 'string') return taskId(task['id']);
  const got = JSON.stringify(task).slice(0, SHOWN_CHARACTERS);
  throw new PmlError('BAD_REQUEST', `tasks holds ids of tasks, got ${got}`);
}
