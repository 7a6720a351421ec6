import {
  messageOf,
  PmlError,
  type RunEvent,
  type RunState,
  type TaskState,
} from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import type { RequestContext } from '../../tools/index.js';
import { askHuman } from '../approve/ask-human.js';
import { foreseeHeld } from '../foresee-steps.js';
import type { Workflows } from '../workflows.js';
import { listenToRun } from './listen-to-run.js';

/**
 * Resolves if the run pauses or ends, the time is over, or the client no longer waits. Meanwhile
 * the client gets progress, and its user gets the questions of the run if the client can ask.
 */
export async function waitForRun(
  workflows: Workflows,
  live: LiveRun,
  context: RequestContext,
  withinMs: number,
): Promise<void> {
  const over = new AbortController();
  let timer = setTimeout(() => over.abort(), withinMs);
  const onLeave = () => {
    over.abort();
    void leave(workflows, live, context);
  };
  const silence = reportProgress(workflows, live, context);
  context.signal.addEventListener('abort', onLeave, { once: true });
  try {
    if (context.signal.aborted) onLeave();
    while (!over.signal.aborted) {
      await until(live.idle(), over.signal);
      if (over.signal.aborted) return;
      if (live.phase === 'running') continue; // A client decided while the pause was journaled.
      if (live.phase !== 'paused') return;
      foreseeHeld(workflows, live.state, context.caller);
      // In the stateless revision the question *is* the answer: the next request resets the timer.
      const isAnswered = context.caller.era === 'modern';
      if (isAnswered) clearTimeout(timer);
      if (!(await until(askHuman(workflows, live, context), over.signal))) return;
      if (isAnswered) timer = setTimeout(() => over.abort(), withinMs);
    }
  } finally {
    clearTimeout(timer);
    silence();
    context.signal.removeEventListener('abort', onLeave);
  }
}

/** The value, or undefined if the signal aborts first. */
function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * A client that cancels wants the run to end; a client that disconnected may have been restarted.
 * The run goes on while other clients wait for it. Never rejects.
 */
async function leave(workflows: Workflows, live: LiveRun, context: RequestContext): Promise<void> {
  const reason: unknown = context.signal.reason;
  const isCancelled =
    reason instanceof PmlError && reason.code === 'CALL_CANCELLED' && !reason.details['isGone'];
  if (!isCancelled && workflows.tools.settings.workflows.onDisconnect === 'continue') return;
  const { run, finished, aborted } = live.state;
  if (finished || aborted || workflows.clients.isAwaited(run, context)) return;
  const because = isCancelled ? 'its client cancelled it' : 'its client disconnected';
  await live
    .decide({ kind: 'abort', because }, 'user')
    .catch((error: unknown) =>
      workflows.log.warn('run not aborted', { run, error: messageOf(error) }),
    );
}

/** The increment for a progress notification if no more work is done. */
const LEAST_PROGRESS = 1e-6;

/** Sends progress to the client until the returned function is called, never after its answer. */
function reportProgress(
  { log }: Workflows,
  live: LiveRun,
  { onProgress }: RequestContext,
): () => void {
  if (!onProgress) return () => {};
  let last = -LEAST_PROGRESS;
  const isLone = live.state.tasks.length === 1 && !live.state.script;
  const onEvent = (event: RunEvent) => {
    if (isLone) {
      // Like a direct call: only the progress of its server.
      if (event.type === 'task-progress') onProgress(event.progress);
      return;
    }
    const message = describe(event);
    if (message === undefined) return;
    // A retried task counts less than before, but the reported progress must only grow.
    last = Math.max(doneOf(live.state), last + LEAST_PROGRESS);
    onProgress({ progress: last, total: live.state.tasks.length, message });
  };
  return listenToRun(live, onEvent, log);
}

function doneOf({ tasks }: RunState): number {
  return tasks.reduce((sum, task) => sum + partDone(task), 0);
}

function partDone({ status, progress }: TaskState): number {
  if (status === 'completed' || status === 'failed' || status === 'skipped') return 1;
  // A server may report any number.
  const part = status === 'running' && progress?.total ? progress.progress / progress.total : 0;
  return Number.isFinite(part) ? Math.min(Math.max(0, part), 1) : 0;
}

function describe(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'task-completed':
    case 'task-failed':
    case 'task-skipped':
    case 'task-retried':
      return `${event.task} ${event.type.slice(5)}`;
    case 'task-held':
      return `${event.task} waits for approval`;
    case 'task-doubted':
      return `${event.task} waits for a decision`;
    case 'task-progress': {
      const { progress, total, message } = event.progress;
      const text = message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`;
      return `${event.task}: ${text}`;
    }
    default:
      return undefined;
  }
}
