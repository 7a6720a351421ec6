import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ControlParams } from '../../control/index.js';
import { messageOf, PmlError } from '../../core/errors.js';
import { lockOwner } from '../../process/index.js';
import { askControl } from '../daemon/ask-control.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';

const LOOK_MS = 500;
/** So long a daemon that ended in order may take to be followed by another. */
const PATIENCE_MS = 8_000;
/** A request may itself be what a daemon dies of. */
const MOST_STARTS = 10;
const STARTS_FORGOTTEN_MS = 60_000;

/** What one look at the daemon found. */
type Sight =
  | { readonly kind: 'serves' }
  /** It ended without giving its lock back: it was killed. */
  | { readonly kind: 'died' }
  /** It ended in order, so somebody ended it on purpose. */
  | { readonly kind: 'stopped' }
  /** It is suspended or hangs, and may go on. */
  | { readonly kind: 'silent'; readonly error: PmlError }
  /** It starts, ends, or cannot open the port yet. */
  | { readonly kind: 'not-yet'; readonly error?: unknown };

export interface KeepServingOptions {
  readonly dataDir: string;
  /** Of `http-open`, with the port that is served. */
  readonly params: ControlParams<'http-open'>;
  readonly signal: AbortSignal;
}

/**
 * Has the daemon serve HTTP until `signal` aborts. Brings a killed daemon back at once, as a relay
 * does. Rejects when the daemon was stopped on purpose and no other follows.
 */
export async function keepServing(
  flags: DaemonFlags,
  { dataDir, params, signal }: KeepServingOptions,
): Promise<{ readonly wasRestarted: boolean }> {
  let lastServed = performance.now();
  let starts: readonly number[] = [];
  while (await pause(signal)) {
    const sight = await look(dataDir, params);
    const now = performance.now();
    if (sight.kind === 'serves' || sight.kind === 'silent') lastServed = now;
    if (sight.kind === 'silent') process.stderr.write(`pml: ${messageOf(sight.error)}\n`);
    if (sight.kind === 'died') {
      starts = [...starts.filter((at) => now - at < STARTS_FORGOTTEN_MS), now];
      if (starts.length > MOST_STARTS) throw keepsDying();
      process.stderr.write('pml: the daemon ended; starting it again\n');
      await askStarted(flags, 'http-open', params);
      lastServed = performance.now();
    }
    if (now - lastServed > PATIENCE_MS) throw notServed(sight);
  }
  return { wasRestarted: starts.length > 0 };
}

async function look(dataDir: string, params: ControlParams<'http-open'>): Promise<Sight> {
  try {
    if (await askControl(dataDir, 'http-open', params)) return { kind: 'serves' };
    const owner = await lockOwner(join(dataDir, 'daemon.lock'));
    if (!owner) return { kind: 'stopped' };
    return owner.isAlive ? { kind: 'not-yet' } : { kind: 'died' };
  } catch (error) {
    const isSilent = error instanceof PmlError && error.code === 'DAEMON_SILENT';
    if (isSilent) return { kind: 'silent', error };
    // It ended while it was asked, or says what it lacks: the next look tells whether it lasts.
    return { kind: 'not-yet', error };
  }
}

/** False when it is time to end. */
async function pause(signal: AbortSignal): Promise<boolean> {
  await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

function notServed(sight: Sight): PmlError {
  if (sight.kind === 'not-yet' && sight.error instanceof PmlError) return sight.error;
  const why =
    sight.kind === 'not-yet' && sight.error !== undefined
      ? messageOf(sight.error)
      : 'pml stop or a signal ended the daemon';
  const message = `Nothing is served any more: ${why}. Run pml serve --http to serve again.`;
  return new PmlError('DAEMON_UNREACHABLE', message);
}

function keepsDying(): PmlError {
  return new PmlError(
    'DAEMON_UNREACHABLE',
    'The daemon ended again and again; see pml logs and pml doctor',
  );
}
