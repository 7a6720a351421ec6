import { messageOf, PmlError, type RunEvent } from '../core/index.js';
import type { LiveRun } from '../executor/index.js';
import { askHuman } from './ask-human.js';
import type { Gateway } from './gateway.js';
import type { RequestContext } from './request-context.js';

/**
 * Resolves when a run has come to rest, its time is over, or its client no longer waits. While it
 * lasts, the client hears of progress and, if it can ask its user, that one is asked what the run asks.
 */
export async function waitForRun(
  gateway: Gateway,
  live: LiveRun,
  context: RequestContext,
  withinMs: number,
): Promise<void> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), withinMs);
  const end = AbortSignal.any([over.signal, context.signal]);
  void reportProgress(live, context, end);
  const onLeave = () => void leave(gateway, live, context.signal.reason);
  context.signal.addEventListener('abort', onLeave, { once: true });
  try {
    if (context.signal.aborted) onLeave();
    while (!end.aborted) {
      await until(live.idle(), end);
      if (live.phase !== 'paused' || end.aborted) return;
      if (!(await until(askHuman(gateway, live, context), end))) return;
    }
  } finally {
    clearTimeout(timer);
    over.abort();
    context.signal.removeEventListener('abort', onLeave);
  }
}

/** The value, or nothing when the signal comes first. */
function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** A client that cancels wants the work to end; one that is gone may have been restarted. */
async function leave(gateway: Gateway, live: LiveRun, reason: unknown): Promise<void> {
  const isCancelled =
    reason instanceof PmlError && reason.code === 'CALL_CANCELLED' && !reason.details['isGone'];
  if (!isCancelled && gateway.settings.workflows.onDisconnect === 'continue') return;
  if (live.state.finished || live.state.aborted) return;
  const because = isCancelled ? 'its client cancelled it' : 'its client disconnected';
  await live
    .decide({ kind: 'abort', because }, 'user')
    .catch((error: unknown) =>
      gateway.log.warn('run not aborted', { run: live.state.run, error: messageOf(error) }),
    );
}

async function reportProgress(
  live: LiveRun,
  { onProgress }: RequestContext,
  end: AbortSignal,
): Promise<void> {
  if (!onProgress) return;
  for await (const event of live.watch()) {
    if (end.aborted) return;
    const message = describe(event);
    if (message === undefined) continue;
    const { tasks } = live.state;
    const done = tasks.filter(({ status }) => DONE.has(status)).length;
    onProgress({ progress: done, total: tasks.length, message });
  }
}

const DONE: ReadonlySet<string> = new Set(['succeeded', 'failed', 'skipped']);

function describe(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'task-succeeded':
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
