import type { RunEvent, RunState, ScriptRecord, TaskState } from '../../core/index.js';
import { confirmedGuesses, layersOf, runMs, summarizeRun } from '../../executor/index.js';
import { outputValue } from '../../plan/index.js';
import type { RunView } from '../../runs/index.js';
import { describeQuestion, guessLines, openTasks, resolvedOf } from '../../workflows/index.js';
import type {
  RunDetails,
  RunEventInfo,
  RunInfo,
  RunTaskInfo,
  ScriptInfo,
} from '../contract/runs.js';
import { TaskSpans } from './spans.js';

const SHOWN_CHARACTERS = 300;
const SHOWN_ABOUT = 200;
const SHOWN_TOOLS = 5;

export function describeRun({ state, phase, broken, live }: RunView, now: number): RunInfo {
  const { status, run, intent } = summarizeRun(state, phase);
  const counts: Partial<Record<TaskState['status'], number>> = {};
  for (const task of state.tasks) counts[task.status] = (counts[task.status] ?? 0) + 1;
  const isPaused = status === 'needs_approval' || status === 'needs_decision';
  return {
    run,
    status,
    ...(intent !== undefined ? { intent } : describeAbout(state)),
    startedAt: new Date(state.startedAt).toISOString(),
    ms: state.finished ? runMs(state) : (live?.clock.elapsedMs() ?? since(state, now)),
    counts,
    ...(isPaused && { question: describeQuestion(state, openTasks(state)) }),
    ...(broken && { error: { code: broken.code, message: broken.message } }),
  };
}

/** What distinguishes a run without an intent from others. */
function describeAbout({ script, tasks }: RunState): Pick<RunInfo, 'about'> {
  const lines = script?.code.split('\n').map((line) => line.trim()) ?? [];
  const [first] = lines.filter((line) => line !== '' && !line.startsWith('//'));
  if (first !== undefined) return { about: first.slice(0, SHOWN_ABOUT) };
  const tools = [...new Set(tasks.map(({ task }) => task.tool))];
  if (tools.length === 0) return {};
  const more = tools.length > SHOWN_TOOLS ? ` and ${tools.length - SHOWN_TOOLS} more` : '';
  return { about: `${tools.slice(0, SHOWN_TOOLS).join(', ')}${more}` };
}

/** Timings are those of the events: a run that is over keeps them. */
export function describeRunDetails(
  view: RunView,
  events: readonly RunEvent[],
  { now, isFull = false }: { readonly now: number; readonly isFull?: boolean },
): RunDetails {
  const { state } = view;
  const layers = layersOf(state, new Map(state.tasks.map((task) => [task.task.id, task])));
  const spans = new TaskSpans(events, state.startedAt);
  return {
    ...describeRun(view, now),
    ...(state.script && { script: describeScript(state.script) }),
    ...(state.script?.end?.status === 'returned' && { returned: state.script.end.value }),
    tasks: state.tasks.map((task) =>
      describeTask(state, task, {
        layer: layers.get(task.task.id) ?? 0,
        spans,
        now,
        isFull,
      }),
    ),
    decisions: state.decisions.map(({ at, by, command }) => ({
      atMs: since(state, at),
      by,
      kind: command.kind,
      tasks:
        'tasks' in command
          ? command.tasks.map((task) => (typeof task === 'string' ? task : task.id))
          : [],
    })),
    messages: state.messages.map(({ at, text, by }) => ({
      atMs: since(state, at),
      text,
      ...(by && { by }),
    })),
  };
}

interface TaskOptions {
  readonly layer: number;
  /** When its calls left and came back. */
  readonly spans: TaskSpans;
  readonly now: number;
  readonly isFull: boolean;
}

function describeTask(
  state: RunState,
  one: TaskState,
  { layer, spans, now, isFull }: TaskOptions,
): RunTaskInfo {
  const { id, tool, needs, parent } = one.task;
  const took =
    'ms' in one ? one.ms : one.status === 'running' ? Math.max(0, now - one.at) : undefined;
  const ended = 'ms' in one ? since(state, one.at - one.ms) : undefined;
  const startMs = spans.lastStart(id) ?? ended;
  const { progress } = one;
  return {
    id,
    tool,
    ...(parent !== undefined && { parent }),
    ...(one.script && { script: describeScript(one.script) }),
    needs: [...needs],
    layer,
    status: one.status,
    attempts: one.attempts,
    ...(startMs !== undefined && one.attempts > 0 && { startMs }),
    ...(took !== undefined && { ms: took }),
    ...spans.of(one),
    ...('because' in one && { because: one.because }),
    ...('error' in one && { error: { ...one.error } }),
    ...(one.status === 'completed' && { result: cut(outputValue(one.result), isFull) }),
    ...(isFull && one.status === 'completed' && { output: outputValue(one.result) }),
    ...(isFull && { input: resolvedOf(state, one.task) }),
    // The user or agent must see all of a call before deciding about it.
    args: cut(resolvedOf(state, one.task), isFull || isAsked(one)),
    ...describeFilled(one),
    ...(progress && { progress: progress.message ?? String(progress.progress) }),
  };
}

function describeFilled(one: TaskState): Pick<RunTaskInfo, 'filled'> {
  const guesses = confirmedGuesses(one);
  if (!guesses) return {};
  return {
    filled: Object.entries(guesses).map(([param, guess]) => {
      const [text = ''] = guessLines([{ ...one.task, guessed: { [param]: guess } }]);
      return { param, ...guess, text };
    }),
  };
}

function describeScript({ logs, operations }: ScriptRecord): ScriptInfo {
  return {
    logs: logs.map(({ level, text }) => (level === 'info' ? text : `[${level}] ${text}`)),
    operations: operations.map(({ operation, line, times, afterCall }) => {
      return { operation, line, times, afterCall };
    }),
  };
}

export function describeEvent(event: RunEvent, state: RunState): RunEventInfo {
  const base = { atMs: 'at' in event ? since(state, event.at) : 0, type: event.type };
  switch (event.type) {
    case 'run-started':
    case 'run-checkpoint':
    case 'task-progress':
      return base;
    case 'decision-made':
      return { ...base, text: `${event.by}: ${event.command.kind}` };
    case 'message-added':
      return { ...base, text: event.by ? `${event.by}: ${event.text}` : event.text };
    case 'run-finished':
      return { ...base, text: event.outcome };
    case 'task-failed':
      return { ...base, task: event.task, text: event.error.message };
    case 'task-completed':
      return { ...base, task: event.task, text: `${event.ms} ms` };
    case 'task-called':
      return { ...base, task: event.task.id, text: event.task.tool };
    case 'script-ended': {
      const { end, task } = event;
      const text = end.status === 'failed' ? end.error.message : end.status;
      return { ...base, ...(task !== undefined && { task }), text };
    }
    case 'task-started':
      return { ...base, task: event.task };
    case 'task-deferred':
      return { ...base, task: event.task, text: event.remote.id };
    default:
      return { ...base, task: event.task, text: event.because };
  }
}

/** Milliseconds after the run began; the clock of the machine may have been set back since. */
function since({ startedAt }: RunState, at: number): number {
  return Math.max(0, at - startedAt);
}

function isAsked({ status }: TaskState): boolean {
  return status === 'needs_approval' || status === 'in_doubt';
}

function cut(value: unknown, isFull: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return !isFull && text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
