import { type Logger, messageOf, type RunEvent } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';

type Listener = (event: RunEvent) => void;

/**
 * One watch a run, however many listen: a watch that is left ends only with the next event, and a
 * run that waits for a decision has none for days while clients come and go.
 */
const LISTENERS = new WeakMap<LiveRun, Set<Listener>>();

/** Hears of what happens from now on. Returns how to stop. */
export function listenToRun(live: LiveRun, listener: Listener, log: Logger): () => void {
  const listeners = LISTENERS.get(live) ?? watch(live, log);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function watch(live: LiveRun, log: Logger): Set<Listener> {
  const listeners = new Set<Listener>();
  LISTENERS.set(live, listeners);
  tellAll(live, listeners, log).catch((error: unknown) =>
    log.error('run not watched', { run: live.state.run, error: messageOf(error) }),
  );
  return listeners;
}

async function tellAll(live: LiveRun, listeners: Set<Listener>, log: Logger): Promise<void> {
  for await (const event of live.watch()) {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        // One client that cannot be told must not keep the others from hearing.
        log.warn('event not told', { run: live.state.run, error: messageOf(error) });
      }
    }
  }
}
