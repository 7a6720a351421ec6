import { setTimeout as delay } from 'node:timers/promises';

import type { RunWatchAnswer } from '../app/run-status.js';
import { type JsonObject, PmlError } from '../core/index.js';
import { ask, askStarted, type DaemonFlags } from './with-daemon.js';

export interface FollowOptions {
  /** Events up to here are known already. */
  readonly after: number;
  /** The daemon answers at the latest after this time, be there news or not. */
  readonly waitMs: number;
  readonly onAnswer: (answer: RunWatchAnswer) => void;
}

export type Followed =
  /** It ended or waits for somebody. */
  | { readonly kind: 'rested'; readonly answer: RunWatchAnswer }
  /** Somebody ended the daemon; the run goes on with the next one. */
  | { readonly kind: 'stopped' };

/** Between answers without news: some come at once, as for a run of another daemon. */
const PAUSE_MS = 150;
/** A lone call that only reads does not wait for the journal: for a moment it is nowhere. */
const UNKNOWN_MS = 2_000;

/** Tells what happens to a run until it comes to rest; brings a daemon back that was killed. */
export async function followRun(
  run: string,
  flags: DaemonFlags,
  { after, waitMs, onAnswer }: FollowOptions,
): Promise<Followed> {
  let next = after;
  for (;;) {
    const answer = await poll({ run, after: next, waitMs }, flags);
    if (!answer) return { kind: 'stopped' };
    onAnswer(answer);
    next = answer.next;
    if (answer.run.status !== 'running') return { kind: 'rested', answer };
    if (answer.events.length === 0) await delay(PAUSE_MS);
  }
}

/** How a run stands now. */
export async function peekRun(run: string, flags: DaemonFlags): Promise<RunWatchAnswer> {
  const until = Date.now() + UNKNOWN_MS;
  for (;;) {
    try {
      const { answer } = await askStarted(flags, 'run-watch', { run, after: 0, waitMs: 0 });
      return answer as unknown as RunWatchAnswer;
    } catch (error) {
      const isUnknown = error instanceof PmlError && error.code === 'RUN_UNKNOWN';
      if (!isUnknown || Date.now() > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function poll(params: JsonObject, flags: DaemonFlags): Promise<RunWatchAnswer | undefined> {
  try {
    const { answer } = await ask(flags, 'run-watch', params);
    return answer as unknown as RunWatchAnswer | undefined;
  } catch (error) {
    if (!isLost(error)) throw error;
    const { answer } = await askStarted(flags, 'run-watch', params);
    return answer as unknown as RunWatchAnswer;
  }
}

/** A daemon that is stopped answers what it was asked; one that was killed does not. */
function isLost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'DAEMON_UNREACHABLE' || code === 'ECONNRESET' || code === 'EPIPE';
}
