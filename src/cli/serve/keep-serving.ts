import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ControlParams } from '../../control/index.js';
import { messageOf, PmlError } from '../../core/errors.js';
import { lockOwner } from '../../process/index.js';
import { askControl } from '../daemon/ask-control.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';

const LOOK_MS = 500;
/** How long to wait for another daemon after one ended in order. */
const PATIENCE_MS = 8_000;
/** A request itself may be what kills the daemon. */
const MOST_STARTS = 10;
const STARTS_FORGOTTEN_MS = 60_000;

/** What one check of the daemon found. */
type Sight =
  | { readonly kind: 'serves' }
  /** The daemon ended without releasing its lock: it was killed. */
  | { readonly kind: 'died' }
  /** The daemon ended in order, so a user or program stopped it on purpose. */
  | { readonly kind: 'stopped' }
  /** The daemon is suspended or hangs, and may continue. */
  | { readonly kind: 'silent'; readonly error: PmlError }
  /** The daemon starts, ends, or cannot open the port yet. */
  | { readonly kind: 'not-yet'; readonly error?: unknown };

export interface KeepServingOptions {
  readonly dataDir: string;
  /** Parameters of `http-open`, with the port to serve. */
  readonly params: ControlParams<'http-open'>;
  readonly signal: AbortSignal;
}

/**
 * Makes the daemon serve HTTP until `signal` aborts. Restarts a killed daemon at once, as a relay
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
    // The daemon ended during the request, or reported a problem: the next check decides.
    return { kind: 'not-yet', error };
  }
}

/** False after `signal` aborted. */
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
