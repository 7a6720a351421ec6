import { join } from 'node:path';

import type { ControlParams, RunWatchAnswer } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { ask, askStarted, type DaemonFlags } from '../daemon/ask.js';
import { locate } from '../daemon/locate.js';
import { nowMs, pause } from '../print/clock.js';

export interface FollowOptions {
  /** Number of events that the caller already knows. */
  readonly after: number;
  /** The daemon answers after this time at the latest, with or without news. */
  readonly waitMs: number;
  readonly onAnswer: (answer: RunWatchAnswer) => void;
}

export type Followed =
  /** The run ended or waits for a decision. */
  | { readonly kind: 'rested'; readonly answer: RunWatchAnswer }
  /** The daemon was stopped on purpose; the next one resumes the run. */
  | { readonly kind: 'stopped' };

/** Pause after an answer without news: for a run of another daemon it comes at once. */
const PAUSE_MS = 150;
/** A single read-only call does not wait for the journal, so it is unknown for a moment. */
const UNKNOWN_MS = 1_000;
/** Time for a daemon that holds the lock to start or to end. */
const RETURN_MS = 30_000;
/** The run itself may be what kills the daemon. */
const MOST_RESTARTS = 3;

/** Reports the events of a run until it ends or waits; restarts a killed daemon. */
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
    if (answer.events.length === 0) await pause(PAUSE_MS);
  }
}

/** The current state of a run; starts the daemon if none runs. */
export async function peekRun(run: string, flags: DaemonFlags): Promise<RunWatchAnswer> {
  const until = nowMs() + UNKNOWN_MS;
  for (;;) {
    try {
      return (await askStarted(flags, 'run-watch', { run, after: 0, waitMs: 0 })).answer;
    } catch (error) {
      const isUnknown = error instanceof PmlError && error.code === 'RUN_UNKNOWN';
      if (!isUnknown || nowMs() > until) throw error;
      await pause(PAUSE_MS);
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
 * A killed daemon leaves its lock and is restarted, which resumes its runs. A stopped daemon leaves
 * no lock and stays stopped.
 */
async function poll(params: ControlParams<'run-watch'>, flags: DaemonFlags): Promise<Polled> {
  const { dataDir } = await locate(flags);
  const until = nowMs() + RETURN_MS;
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
    await pause(PAUSE_MS);
  } while (nowMs() < until);
  throw new PmlError('DAEMON_UNREACHABLE', 'The daemon runs and does not answer');
}

/** Undefined if no daemon runs, or it ended meanwhile. */
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
