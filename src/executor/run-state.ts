import {
  type Progress,
  type RunEvent,
  type RunId,
  type RunOutcome,
  type TaskError,
  type TaskId,
  type ToolResult,
  unreachable,
} from '../core/index.js';

export type TaskState =
  | { readonly status: 'waiting' }
  | { readonly status: 'running'; readonly progress?: Progress }
  | { readonly status: 'succeeded'; readonly result: ToolResult; readonly ms: number }
  | {
      readonly status: 'failed';
      readonly error: TaskError;
      readonly result?: ToolResult;
      readonly ms: number;
    }
  | { readonly status: 'skipped'; readonly because: string };

export interface RunState {
  readonly run: RunId | undefined;
  /** In plan order. */
  readonly tasks: ReadonlyMap<TaskId, TaskState>;
  readonly outcome: RunOutcome | undefined;
}

export const initialRunState: RunState = { run: undefined, tasks: new Map(), outcome: undefined };

/** Folds one event into the state. Pure, so replaying a log and running live agree. */
export function applyEvent(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'run-started': {
      const tasks = event.tasks.map((id) => [id, { status: 'waiting' }] as const);
      return { run: event.run, tasks: new Map(tasks), outcome: undefined };
    }
    case 'task-started':
      return withTask(state, event.task, { status: 'running' });
    case 'task-progress':
      return withTask(state, event.task, { status: 'running', progress: event.progress });
    case 'task-succeeded': {
      const { task, result, ms } = event;
      return withTask(state, task, { status: 'succeeded', result, ms });
    }
    case 'task-failed': {
      const { type: _type, task, ...failure } = event;
      return withTask(state, task, { status: 'failed', ...failure });
    }
    case 'task-skipped':
      return withTask(state, event.task, { status: 'skipped', because: event.because });
    case 'run-finished':
      return { ...state, outcome: event.outcome };
    default:
      return unreachable(event);
  }
}

function withTask(state: RunState, id: TaskId, task: TaskState): RunState {
  return { ...state, tasks: new Map(state.tasks).set(id, task) };
}
