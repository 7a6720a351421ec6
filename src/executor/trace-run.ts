import type {
  ErrorType,
  ExecutionTrace,
  PastBinding,
  PastCall,
  PastDecision,
  RunCommand,
  RunEvent,
  RunState,
  Task,
  TaskError,
  TaskId,
  ToolId,
} from '../core/index.js';
import { findTask } from './change-tasks.js';
import { findFlows, type TracedCall } from './find-flows.js';
import { foldEvents } from './run-state.js';

export type RunTrace = Pick<ExecutionTrace, 'ok' | 'calls' | 'bindings'> &
  Required<Pick<ExecutionTrace, 'run' | 'ms' | 'decisions'>> & { readonly intent?: string };

/**
 * What is remembered of a finished run: every call in the order they were made, repeated ones too,
 * the values that went from one into another, and what was decided on the way.
 */
export function traceRun(
  events: readonly RunEvent[],
  errorType: (error: TaskError) => ErrorType,
): RunTrace {
  const state = foldEvents(events);
  const calls = readCalls(events, state);
  const { run, intent, startedAt, finished, context } = state;
  return {
    run,
    ...(intent !== undefined && { intent }),
    ok: finished?.outcome === 'succeeded',
    ms: sinceStart(finished?.at ?? startedAt, startedAt),
    ...withOperations(
      calls.map((call) => pastCall(call, startedAt, errorType)),
      findFlows(calls, context),
      { order: calls.map(({ task }) => task.id), state },
    ),
    decisions: state.decisions.map(({ at, by, command }): PastDecision => {
      return {
        by,
        kind: command.kind,
        atMs: sinceStart(at, startedAt),
        tools: toolsOf(command, state),
      };
    }),
  };
}

/**
 * What a script did with its own data belongs to the path as well: each operation stands after the
 * calls that were made before it.
 */
function withOperations(
  calls: readonly PastCall[],
  bindings: readonly PastBinding[],
  { order, state }: { readonly order: readonly TaskId[]; readonly state: RunState },
): Pick<RunTrace, 'calls' | 'bindings'> {
  const operations = state.script?.operations ?? [];
  if (operations.length === 0) return { calls, bindings };
  // Calls are counted as the script made them, which is the order of the tasks.
  const madeAt = new Map(state.tasks.map(({ task }, place) => [task.id, place + 1]));
  const all = [
    ...calls.map((call, place) => ({ call, place, made: madeAt.get(order[place] as TaskId) ?? 0 })),
    ...operations.map(({ operation, ms, afterCall }) => ({
      call: { tool: operation, ok: true, ms },
      place: undefined,
      made: afterCall + 0.5,
    })),
  ].toSorted((a, b) => a.made - b.made);
  const places = new Map(all.map(({ place }, index) => [place, index]));
  return {
    calls: all.map(({ call }) => call),
    bindings: bindings.map((binding) => ({
      ...binding,
      from: places.get(binding.from) ?? 0,
      to: places.get(binding.to) ?? 0,
    })),
  };
}

/** A clock may be set back while a run is under way. */
function sinceStart(at: number, startedAt: number): number {
  return Math.max(0, at - startedAt);
}

/** A call that was cut off has no end, and tells nothing of its tool. */
function readCalls(events: readonly RunEvent[], state: RunState): readonly TracedCall[] {
  const open = new Map<TaskId, { task: Task; startedAt: number }>();
  const calls: TracedCall[] = [];
  for (const event of events) {
    if (event.type === 'task-started') {
      const task = findTask(state, event.task)?.task;
      if (task) open.set(event.task, { task, startedAt: event.at });
    } else if (event.type === 'task-succeeded' || event.type === 'task-failed') {
      const started = open.get(event.task);
      open.delete(event.task);
      if (started) calls.push({ ...started, end: event });
    }
  }
  return calls.toSorted((a, b) => a.startedAt - b.startedAt);
}

function pastCall(
  { task, startedAt, end }: TracedCall,
  runStartedAt: number,
  errorType: (error: TaskError) => ErrorType,
): PastCall {
  return {
    tool: task.tool,
    ok: end.type === 'task-succeeded',
    ms: end.ms,
    startMs: sinceStart(startedAt, runStartedAt),
    ...(end.type === 'task-failed' && { errorType: errorType(end.error) }),
  };
}

function toolsOf(command: RunCommand, state: RunState): readonly ToolId[] {
  if (!('tasks' in command)) return [];
  const ids = command.tasks.map((task) => (typeof task === 'string' ? task : task.id));
  return ids.flatMap((id) => findTask(state, id)?.task.tool ?? []);
}
