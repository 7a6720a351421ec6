import {
  type Decider,
  type JsonValue,
  type RunCommand,
  type RunState,
  type TaskId,
  type TaskState,
  type TaskStatus,
  type ToolResult,
  unreachable,
} from '../core/index.js';
import { argsDigest } from './approved-args.js';
import { addTasks, lastingParts } from './change-tasks.js';

export interface CommandContext {
  readonly at: number;
  readonly by: Decider;
}

/** What a decision changes. Commands were checked before: those that do not fit change nothing. */
export function applyCommand(
  state: RunState,
  command: RunCommand,
  context: CommandContext,
): RunState {
  switch (command.kind) {
    case 'approve':
      return changeEach(state, command.tasks, (task) => approved(task, state));
    case 'reject':
      return changeEach(state, command.tasks, (task) => rejected(task, command.because, context));
    case 'retry':
      return retried(state, command.tasks);
    case 'skip':
      return skipped(state, command, context);
    case 'inject':
    case 'replan':
      return addTasks(state, command.tasks, { isLater: true });
    case 'abort':
      return { ...state, aborted: { because: command.because ?? `aborted by the ${context.by}` } };
    default:
      return unreachable(command);
  }
}

function changeEach(
  state: RunState,
  ids: readonly TaskId[],
  change: (task: TaskState) => TaskState,
): RunState {
  const wanted = new Set(ids);
  const tasks = state.tasks.map((task) => (wanted.has(task.task.id) ? change(task) : task));
  return { ...state, tasks };
}

/** The approval is for the call as it would be made now. */
function approved(one: TaskState, state: RunState): TaskState {
  if (one.status !== 'needs_approval' && one.status !== 'waiting') return one;
  const { approvedArgs: _before, ...rest } = one;
  const args = argsDigest(one.task, state);
  const now: TaskState = { ...rest, ...(args !== undefined && { approvedArgs: args }) };
  return reset({ ...now, isApproved: true });
}

function rejected(
  task: TaskState,
  because: string | undefined,
  { at, by }: CommandContext,
): TaskState {
  if (task.status !== 'needs_approval' && task.status !== 'waiting') return task;
  const why = `rejected by the ${by}${because ? `: ${because}` : ''}`;
  return ended(task, { status: 'skipped', at, because: why, rejectedBy: by });
}

function skipped(
  state: RunState,
  { tasks, result }: Extract<RunCommand, { kind: 'skip' }>,
  context: CommandContext,
): RunState {
  if (result === undefined) return changeEach(state, tasks, (task) => leftOut(task, context));
  const given = changeEach(state, tasks, (task) => answered(task, result, context));
  return withChance(given, tasks);
}

function leftOut(task: TaskState, { at, by }: CommandContext): TaskState {
  if (isUnderWayOrDone(task)) return task;
  const before = task.status === 'failed' ? `it failed (${task.error.message}) and was ` : '';
  return ended(task, { status: 'skipped', at, because: `${before}skipped by the ${by}` });
}

function answered(task: TaskState, result: JsonValue, { at }: CommandContext): TaskState {
  if (isUnderWayOrDone(task)) return task;
  return ended(task, { status: 'completed', at, ms: 0, result: givenResult(result) });
}

function isUnderWayOrDone({ status }: TaskState): boolean {
  return status === 'running' || status === 'completed';
}

function retried(state: RunState, ids: readonly TaskId[]): RunState {
  return withChance(
    changeEach(state, ids, (task) => (isUnderWayOrDone(task) ? task : reset(task))),
    ids,
  );
}

/**
 * When a task is retried or gets a result after all, the tasks skipped because of it become
 * pending again, and PML asks again about those it held because of it.
 */
function withChance(state: RunState, ids: readonly TaskId[]): RunState {
  const again = new Set(ids);
  const tasks = [...state.tasks];
  let isGrowing = true;
  while (isGrowing) {
    isGrowing = false;
    tasks.forEach((task, index) => {
      if (again.has(task.task.id) || !isLostWith(task, again)) return;
      again.add(task.task.id);
      tasks[index] = reset(task);
      isGrowing = true;
    });
  }
  return { ...state, tasks };
}

function isLostWith(one: TaskState, again: ReadonlySet<TaskId>): boolean {
  if (one.status === 'skipped') return one.need !== undefined && again.has(one.need);
  return one.status === 'needs_approval' && one.task.needs.some((need) => again.has(need));
}

function reset(task: TaskState): TaskState {
  return { ...lastingParts(task), status: 'waiting' };
}

function ended(task: TaskState, status: TaskStatus): TaskState {
  return { ...lastingParts(task), ...status };
}

function givenResult(value: JsonValue): ToolResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { content: [{ type: 'text', text }], structuredContent: value };
}
