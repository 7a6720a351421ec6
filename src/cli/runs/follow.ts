import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ControlParams, RunWatchAnswer } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { ask, askStarted, type DaemonFlags } from '../daemon/ask.js';
import { locate } from '../daemon/locate.js';

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
const UNKNOWN_MS = 1_000;
/** For a daemon that has the lock and is about to start or to end. */
const RETURN_MS = 30_000;
/** A run may itself be what a daemon dies of. */
const MOST_RESTARTS = 3;

/** Tells what happens to a run until it comes to rest; brings a daemon back that was killed. */
export async function followRun(
  run: string,
  flags: DaemonFlags,
  { after, waitMs, onAnswer }: FollowOptions,
): Promise<Followed> {
  let next = after;
  let restarts = 0;
  for (;;) {
    const { answer, wasKilled } = await poll({ run, after: next, waitMs }, flags);
    if (!answer) return { kind: 'stopped' };
    restarts += wasKilled ? 1 : 0;
    if (restarts > MOST_RESTARTS) throw keepsDying(run);
    onAnswer(answer);
    next = answer.next;
    if (answer.run.status !== 'running') return { kind: 'rested', answer };
    if (answer.events.length === 0) await delay(PAUSE_MS);
  }
}

/** How a run stands now; starts the daemon if none runs. */
export async function peekRun(run: string, flags: DaemonFlags): Promise<RunWatchAnswer> {
  const until = performance.now() + UNKNOWN_MS;
  for (;;) {
    try {
      return (await askStarted(flags, 'run-watch', { run, after: 0, waitMs: 0 })).answer;
    } catch (error) {
      const isUnknown = error instanceof PmlError && error.code === 'RUN_UNKNOWN';
      if (!isUnknown || performance.now() > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}

interface Polled {
  readonly answer?: RunWatchAnswer;
  readonly wasKilled?: boolean;
}

function keepsDying(run: string): PmlError {
  return new PmlError(
    'DAEMON_UNREACHABLE',
    `The daemon ended again and again while run ${run} was followed; see pml logs`,
  );
}

/**
 * A daemon that was killed leaves its lock and is brought back, for its runs go on then; one that
 * was stopped leaves none, and stays so.
 */
async function poll(params: ControlParams<'run-watch'>, flags: DaemonFlags): Promise<Polled> {
  const { dataDir } = await locate(flags);
  const until = performance.now() + RETURN_MS;
  do {
    const answer = await askIfThere(params, flags);
    if (answer) return { answer };
    const { lockOwner } = await import('../../process/index.js');
    const owner = await lockOwner(join(dataDir, 'daemon.lock'));
    if (!owner) return {};
    if (!owner.isAlive) {
      const { answer: after } = await askStarted(flags, 'run-watch', params);
      return { answer: after, wasKilled: true };
    }
    await delay(PAUSE_MS);
  } while (performance.now() < until);
  throw new PmlError('DAEMON_UNREACHABLE', 'The daemon runs and does not answer');
}

/** Nothing when there is no daemon, or none any more. */
async function askIfThere(
  params: ControlParams<'run-watch'>,
  flags: DaemonFlags,
): Promise<RunWatchAnswer | undefined> {
  try {
    return (await ask(flags, 'run-watch', params)).answer;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'DAEMON_UNREACHABLE' || code === 'ECONNRESET' || code === 'EPIPE') {
      return undefined;
    }
    throw error;
  }
}
