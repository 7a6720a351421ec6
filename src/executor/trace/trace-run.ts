import {
  type ErrorType,
  isCapability,
  type JsonObject,
  keptError,
  type PastBinding,
  type PastCall,
  type PastDecision,
  type RunCommand,
  type RunEvent,
  type RunState,
  type Task,
  type TaskError,
  type TaskId,
  type ToolId,
  type Mask,
  originOf,
} from '../../core/index.js';
import { keepArgs, literalArgs } from '../../plan/index.js';
import { findTask } from '../change-tasks.js';
import { foldEvents, runMs } from '../run-state.js';
import { findFlows, type TracedCall } from './find-flows.js';
import { findOrigins } from './find-origins.js';
import { orderPath, type Step } from './order-path.js';
import type { RunTrace } from './run-trace.js';
import { traceSingle } from './trace-single.js';

/**
 * What is remembered of a finished run: every call in the order they were made, repeated ones too and
 * those inside capabilities, what code did with its data, the values that went from one into another, and what was decided on the way.
 * Arguments are part of it only with a `mask` that hides the secrets in them.
 */
export function traceRun(
  events: readonly RunEvent[],
  errorType: (error: TaskError) => ErrorType,
  mask?: Mask,
): RunTrace {
  // Most runs are one call: their events say it all.
  const single = traceSingle(events, mask);
  if (single) return single;
  const work = traceState(events, foldEvents(events), { errorType, mask });
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The same for a run whose state is known, with `pause` between its parts: it may have thousands. */
export async function traceLongRun(
  { events, state }: { readonly events: readonly RunEvent[]; readonly state: RunState },
  { pause, ...reading }: ErrorReading & { readonly pause: () => Promise<void> },
): Promise<RunTrace> {
  const work = traceState(events, state, reading);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}

function* traceState(
  events: readonly RunEvent[],
  state: RunState,
  { errorType, mask }: ErrorReading,
): Generator<void, RunTrace> {
  const steps = orderPath(readCalls(events, state), state);
  yield;
  const { run, intent, startedAt, finished, context } = state;
  const origins = yield* inParts(steps, ({ call }) => call && findOrigins(call.task, state));
  const flows = yield* flowsOf(steps, context);
  const bindings = flows
    .map((flow) => keepTemplate(flow, mask))
    .map((flow) => withOrigin(flow, origins[flow.to]));
  const argsAt = (step: Step, place: number) => {
    const args = mask ? argsOf(step, place, bindings, mask) : {};
    return args.args ? { ...args, ...originsOf(args.args, origins[place]) } : args;
  };
  const calls = yield* inParts(steps, (step, place) => ({
    ...pastCall(step, startedAt, { errorType, mask }),
    ...argsAt(step, place),
  }));
  return {
    run,
    ...(intent !== undefined && { intent }),
    ok: finished?.outcome === 'completed',
    ms: runMs(state),
    calls,
    bindings,
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

/** The items mapped, with a yield after each. */
function* inParts<T, R>(
  items: readonly T[],
  make: (item: T, place: number) => R,
): Generator<void, R[]> {
  const made: R[] = [];
  for (const [place, item] of items.entries()) {
    made.push(make(item, place));
    yield;
  }
  return made;
}

function* flowsOf(
  steps: readonly Step[],
  context: JsonObject,
): Generator<void, readonly PastBinding[]> {
  const placed = steps.flatMap(({ call }, place) => (call ? [{ call, place }] : []));
  const placeOf = (index: number) => placed[index]?.place ?? 0;
  const flows = yield* findFlows(
    placed.map(({ call }) => call),
    context,
  );
  return flows.map((flow) => ({ ...flow, from: placeOf(flow.from), to: placeOf(flow.to) }));
}

type Origins = NonNullable<PastCall['origins']>;

function withOrigin(binding: PastBinding, origins: Origins | undefined): PastBinding {
  const origin = binding.param === undefined ? undefined : originOf(origins, binding.param);
  return origin ? { ...binding, origin } : binding;
}

/** Of the arguments that are kept. */
function originsOf(args: JsonObject, origins: Origins | undefined): Pick<PastCall, 'origins'> {
  const own = Object.entries(origins ?? {}).filter(([path]) =>
    Object.keys(args).some((param) => path === param || /^[.[]/.test(afterPrefix(path, param))),
  );
  return own.length === 0 ? {} : { origins: Object.fromEntries(own) };
}

function afterPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : '';
}

/** Kept as arguments are, or not at all. */
function keepTemplate(binding: PastBinding, mask: Mask | undefined): PastBinding {
  const { param = '', part } = binding;
  if (part?.template === undefined) return binding;
  const kept = mask ? keepArgs({ [param]: part.template }, mask) : {};
  return { ...binding, part: Object.hasOwn(kept, param) ? part : {} };
}

function argsOf(
  { call }: Step,
  place: number,
  bindings: readonly PastBinding[],
  mask: Mask,
): Pick<PastCall, 'args'> {
  if (!call) return {};
  const flowed = bindings.flatMap(({ to, param }) => (to === place && param ? [param] : []));
  const args = literalArgs(call.task, new Set(flowed), mask);
  return Object.keys(args).length === 0 ? {} : { args };
}

/** A clock may be set back while a run is under way. */
function sinceStart(at: number, startedAt: number): number {
  return Math.max(0, at - startedAt);
}

/**
 * In the order in which they left. A call that was cut off has no end, and tells nothing of its tool;
 * code that was cut off went on where it was, so its call left when it was begun at first.
 */
function readCalls(events: readonly RunEvent[], state: RunState): readonly TracedCall[] {
  const open = new Map<TaskId, { task: Task; startedAt: number }>();
  const calls: TracedCall[] = [];
  for (const event of events) {
    if (event.type === 'task-started') {
      const task = findTask(state, event.task)?.task;
      const before = task && isCapability(task.tool) ? open.get(task.id) : undefined;
      if (task) open.set(task.id, { task, startedAt: before?.startedAt ?? event.at });
    } else if (event.type === 'task-completed' || event.type === 'task-failed') {
      const started = open.get(event.task);
      open.delete(event.task);
      if (started) calls.push({ ...started, end: event });
    }
  }
  const places = new Map(state.tasks.map(({ task }, place) => [task.id, place]));
  const placeOf = ({ task }: TracedCall) => places.get(task.id) ?? 0;
  return calls.toSorted((a, b) => a.startedAt - b.startedAt || placeOf(a) - placeOf(b));
}

interface ErrorReading {
  readonly errorType: (error: TaskError) => ErrorType;
  readonly mask: Mask | undefined;
}

function pastCall(
  { parent, ...step }: Step,
  runStartedAt: number,
  reading: ErrorReading,
): PastCall {
  const inside = parent === undefined ? {} : { parent };
  if (!step.call) {
    const { operation, ms } = step.operation;
    return { tool: operation, ok: true, ms, ...inside };
  }
  const { task, startedAt, end } = step.call;
  return {
    tool: task.tool,
    ok: end.type === 'task-completed',
    ms: end.ms,
    startMs: sinceStart(startedAt, runStartedAt),
    ...inside,
    ...(end.type === 'task-failed' && errorOf(end.error, reading)),
  };
}

function errorOf(
  error: TaskError,
  { errorType, mask }: ErrorReading,
): Pick<PastCall, 'errorType' | 'errorMessage'> {
  const errorMessage = mask && keptError(error.message, mask);
  return { errorType: errorType(error), ...(errorMessage !== undefined && { errorMessage }) };
}

function toolsOf(command: RunCommand, state: RunState): readonly ToolId[] {
  if (!('tasks' in command)) return [];
  const ids = command.tasks.map((task) => (typeof task === 'string' ? task : task.id));
  return ids.flatMap((id) => findTask(state, id)?.task.tool ?? []);
}
