import { isCapability, type Mask, type RunEvent, type Task } from '../../core/index.js';
import { literalArgs } from '../../plan/index.js';
import type { RunTrace } from './run-trace.js';

type RunStarted = Extract<RunEvent, { type: 'run-started' }>;

const NOTHING_FLOWED: ReadonlySet<string> = new Set();

/**
 * What is remembered of a run that made one call and nothing else, read from its events alone: no value
 * flowed anywhere, and nothing was decided. Undefined for every other run.
 */
export function traceSingle(
  events: readonly RunEvent[],
  mask: Mask | undefined,
): RunTrace | undefined {
  const [started, began, done, finished] = events;
  if (events.length !== 4 || started?.type !== 'run-started' || began?.type !== 'task-started')
    return undefined;
  if (done?.type !== 'task-completed' || finished?.type !== 'run-finished') return undefined;
  const task = onlyTask(started);
  if (!task) return undefined;
  const { run, intent, at } = started;
  const args = mask ? literalArgs(task, NOTHING_FLOWED, mask) : {};
  const startMs = Math.max(0, began.at - at);
  const call = { tool: task.tool, ok: true, ms: done.ms, startMs };
  return {
    run,
    ...(intent !== undefined && { intent }),
    ok: finished.outcome === 'completed',
    ms: finished.ms ?? Math.max(0, finished.at - at),
    calls: [Object.keys(args).length === 0 ? call : { ...call, args }],
    bindings: [],
    decisions: [],
  };
}

function onlyTask({ tasks, script, context }: RunStarted): Task | undefined {
  const [task] = tasks;
  if (!task || tasks.length > 1 || script || Object.keys(context).length > 0) return undefined;
  const { needs, guessed, parent, tool } = task;
  const isOwn = needs.length === 0 && !guessed && parent === undefined && !isCapability(tool);
  return isOwn ? task : undefined;
}
