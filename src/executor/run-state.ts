import {
  type JsonObject,
  PmlError,
  type RemoteTask,
  type RunEvent,
  type RunMessage,
  type RunState,
  type TaskId,
  type TaskState,
  type TaskStatus,
  unreachable,
} from '../core/index.js';
import { applyCommand } from './apply-command.js';
import { addTasks, changeTask, lastingParts } from './change-tasks.js';

/** Folds one event into the state. Pure, so replaying a journal and running live agree. */
export function applyEvent(state: RunState | undefined, event: RunEvent): RunState {
  switch (event.type) {
    case 'run-started':
      return startedState(event);
    case 'run-checkpoint':
      return event.state;
    default:
      return applyTo(begun(state, event), event);
  }
}

/** The state after all events; they must begin with a start or a checkpoint. */
export function foldEvents(events: readonly RunEvent[]): RunState {
  let state: RunState | undefined;
  for (const event of events) state = applyEvent(state, event);
  if (state) return state;
  throw new PmlError('JOURNAL_FAILED', 'The journal of this run is empty');
}

type LaterEvent = Exclude<RunEvent, { type: 'run-started' | 'run-checkpoint' }>;

function applyTo(state: RunState, event: LaterEvent): RunState {
  switch (event.type) {
    case 'task-started': {
      const { at, repeatable } = event;
      return changeTask(state, event.task, (task) => ({
        ...withStatus(task, { status: 'running', at, repeatable, ...remoteOf(task) }),
        attempts: task.attempts + 1,
      }));
    }
    case 'task-deferred':
      return changeTask(state, event.task, (task) =>
        task.status === 'running' ? { ...task, remote: event.remote } : task,
      );
    case 'task-progress':
      return changeTask(state, event.task, (task) => ({ ...task, progress: event.progress }));
    case 'task-completed':
    case 'task-failed':
    case 'task-skipped':
    case 'task-doubted':
      return setStatus(state, event.task, statusAfter(event));
    case 'task-held':
      // The same call is made again after the sign-in, so its approval stays.
      if (event.signIn !== undefined) return setStatus(state, event.task, statusAfter(event));
      // What was approved before was another call.
      return changeTask(state, event.task, ({ approvedArgs: _before, ...task }) => ({
        ...withStatus(task, statusAfter(event)),
        isApproved: false,
      }));
    case 'task-called':
      return addTasks(state, [event.task]);
    case 'script-ended': {
      const { task, end, logs, operations } = event;
      if (task !== undefined) {
        return changeTask(state, task, (one) => ({ ...one, script: { logs, operations } }));
      }
      return state.script
        ? { ...state, script: { ...state.script, end, logs, operations } }
        : state;
    }
    case 'task-retried':
      return changeTask(state, event.task, (task) =>
        withStatus(task, { status: 'waiting', ...remoteOf(task) }),
      );
    case 'decision-made': {
      const { at, by, command } = event;
      const decided = { ...state, decisions: [...state.decisions, { at, by, command }] };
      return applyCommand(withContext(decided, event.context), command, { at, by });
    }
    case 'message-added':
      return { ...state, messages: [...state.messages, messageFrom(event)] };
    case 'run-finished':
      return { ...state, finished: finishOf(event) };
    default:
      return unreachable(event);
  }
}

function startedState(event: Extract<RunEvent, { type: 'run-started' }>): RunState {
  const { run, at, intent, tasks, approve, context, script, isReadOnly, owner, profile } = event;
  const empty: RunState = {
    run,
    startedAt: at,
    ...(intent !== undefined && { intent }),
    approve,
    tasks: [],
    decisions: [],
    messages: [],
    context,
    ...(script && { script: { ...script, logs: [], operations: [] } }),
    ...(isReadOnly && { isReadOnly }),
    ...(owner !== undefined && { owner }),
    ...(profile !== undefined && { profile }),
  };
  return addTasks(empty, tasks);
}

function begun(state: RunState | undefined, { type }: RunEvent): RunState {
  if (state) return state;
  throw new PmlError('JOURNAL_FAILED', `The journal of a run begins with ${type}, not its start`);
}

type EndEvent = Extract<
  RunEvent,
  { type: 'task-completed' | 'task-failed' | 'task-skipped' | 'task-doubted' | 'task-held' }
>;

function statusAfter(event: EndEvent): TaskStatus {
  switch (event.type) {
    case 'task-completed':
      return { status: 'completed', at: event.at, ms: event.ms, result: event.result };
    case 'task-failed': {
      const { at, ms, error, result } = event;
      return { status: 'failed', at, ms, error, ...(result && { result }) };
    }
    case 'task-skipped': {
      const { at, because, need } = event;
      return { status: 'skipped', at, because, ...(need !== undefined && { need }) };
    }
    case 'task-doubted':
      return { status: 'in_doubt', at: event.at, because: event.because };
    case 'task-held':
      return {
        status: 'needs_approval',
        because: event.because,
        ...(event.signIn !== undefined && { signIn: event.signIn }),
      };
  }
}

function setStatus(state: RunState, id: TaskId, status: TaskStatus): RunState {
  return changeTask(state, id, (task) => withStatus(task, status));
}

/** Progress belongs to the call that reported it. */
function withStatus(task: TaskState, status: TaskStatus): TaskState {
  const { script } = task;
  return { ...lastingParts(task), ...(script && { script }), ...status };
}

/** A call that was cut off goes on with the task of its server; a call that failed is made again. */
function remoteOf(task: TaskState): { readonly remote?: RemoteTask } {
  const isOpen = task.status === 'waiting' || task.status === 'running';
  return isOpen && task.remote ? { remote: task.remote } : {};
}

function messageFrom({ at, text, by }: Extract<RunEvent, { type: 'message-added' }>): RunMessage {
  return { at, text, ...(by && { by }) };
}

function withContext(state: RunState, context: JsonObject | undefined): RunState {
  return context ? { ...state, context: { ...state.context, ...context } } : state;
}

/** The clock of the machine may be set while a run is under way, so times alone tell its length badly. */
export function runMs({ startedAt, finished }: RunState): number {
  return finished?.ms ?? Math.max(0, (finished?.at ?? startedAt) - startedAt);
}

function finishOf({ at, ms, outcome }: Extract<RunEvent, { type: 'run-finished' }>) {
  return { at, outcome, ...(ms !== undefined && { ms }) };
}
