import {
  type RunEvent,
  type RunState,
  resultFault,
  type TaskError,
  type TaskState,
  type ToolId,
} from '../core/index.js';

/** Words of earlier journals for a status, an outcome or the type of an event. */
const OLD_WORDS: Readonly<Record<string, string>> = {
  'task-succeeded': 'task-completed',
  succeeded: 'completed',
  held: 'needs_approval',
  doubtful: 'in_doubt',
  cancelled: 'aborted',
};

/**
 * Events as this version would have written them. Earlier versions used other words, and recorded
 * answers that no tool may give, such as `content: [null]`; here such an answer is the failure of
 * its call, as it would be if it came today.
 */
export function mendEvents(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.map((event) => mendEvent(renameIn(event, 'type')));
}

/** The same object with today's word under `key`. */
function renameIn<T extends object>(record: T, key: keyof T & string): T {
  const word = OLD_WORDS[String(record[key])];
  return word === undefined ? record : { ...record, [key]: word };
}

function mendEvent(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'run-checkpoint':
      return { ...event, state: mendState(event.state) };
    case 'task-completed': {
      const { task, at, ms, result } = event;
      const error = faultOf(task, result);
      return error ? { type: 'task-failed', task, at, ms, error } : event;
    }
    case 'task-failed': {
      const { result, ...rest } = event;
      return result && resultFault(result) !== undefined ? rest : event;
    }
    case 'run-finished':
      return renameIn(event, 'outcome');
    default:
      return event;
  }
}

function mendState(state: RunState): RunState {
  const tasks = state.tasks.map((one) => mendTask(renameIn(one, 'status')));
  const { finished } = state;
  return { ...state, tasks, ...(finished && { finished: renameIn(finished, 'outcome') }) };
}

function mendTask(one: TaskState): TaskState {
  if (one.status === 'completed') {
    const { result, ...rest } = one;
    const error = faultOf(one.task.tool, result);
    return error ? { ...rest, status: 'failed', error } : one;
  }
  if (one.status === 'failed' && one.result && resultFault(one.result) !== undefined) {
    const { result: _nonsense, ...rest } = one;
    return rest;
  }
  return one;
}

function faultOf(what: string | ToolId, result: unknown): TaskError | undefined {
  const fault = resultFault(result);
  if (fault === undefined) return undefined;
  const message = `${what} answered with a result that ${fault}; the call may or may not have been carried out`;
  return { code: 'SERVER_PROTOCOL_ERROR', message };
}

/** What was wanted is shown in many places: it is kept without secrets, also that of earlier versions. */
export function withoutSecrets(event: RunEvent, mask: (text: string) => string): RunEvent {
  if (event.type === 'run-started') return { ...event, ...maskIntent(event, mask) };
  if (event.type !== 'run-checkpoint') return event;
  return { ...event, state: { ...event.state, ...maskIntent(event.state, mask) } };
}

export function maskIntent(
  { intent }: { readonly intent?: string },
  mask: ((text: string) => string) | undefined,
): { readonly intent?: string } {
  return intent === undefined ? {} : { intent: mask?.(intent) ?? intent };
}
