import { setTimeout as delay } from 'node:timers/promises';

import { type Logger, messageOf } from '../core/index.js';
import type { LiveRun } from '../executor/index.js';
import { ScriptDriver, type ScriptPorts } from './script-driver.js';

export interface DriveOptions {
  /** How long a script that waits for a decision is kept in memory. */
  readonly awakeMs: number;
  readonly log: Logger;
}

/** Executes the script of a run to its end, however often it has to be begun again on the way. */
export async function driveScript(
  live: LiveRun,
  ports: ScriptPorts,
  { awakeMs, log }: DriveOptions,
): Promise<void> {
  while (isOpen(live)) {
    live.setScriptBusy(true);
    const driver = new ScriptDriver(live, ports);
    const over = new AbortController();
    const { script } = live.state;
    const endsAt = performance.now() + (script ? ports.limits(script).wallMs : 0);
    const tired = sleepWhenPaused(live, driver, { awakeMs, endsAt, signal: over.signal });
    try {
      const outcome = script && (await driver.run(script));
      if (outcome) live.endScript(outcome);
    } catch (error) {
      log.error('script not executed', { run: live.state.run, error: messageOf(error) });
      const failure = { code: 'CODE_STOPPED', message: messageOf(error) } as const;
      live.endScript({ end: { status: 'failed', error: failure }, logs: [], operations: [] });
    } finally {
      over.abort();
      await tired;
    }
    while (isOpen(live) && live.phase === 'paused') await live.changed();
  }
}

function isOpen({ phase, state, scriptSignal }: LiveRun): boolean {
  if (scriptSignal.aborted || state.script?.end) return false;
  return phase === 'running' || phase === 'paused';
}

interface SleepOptions {
  readonly awakeMs: number;
  /** When the time of the script would be over: a decision may take longer than that. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

async function sleepWhenPaused(
  live: LiveRun,
  driver: ScriptDriver,
  { awakeMs, endsAt, signal }: SleepOptions,
): Promise<void> {
  const isOver = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!signal.aborted && isOpen(live)) {
    if (live.phase !== 'paused') {
      await Promise.race([live.changed(), isOver]);
      continue;
    }
    const leftMs = Math.max(0, endsAt - performance.now());
    const ms = Math.min(awakeMs, leftMs / 2);
    const slept = delay(ms, 'tired' as const, { ref: false, signal }).catch(() => 'over');
    const first = await Promise.race([slept, live.changed()]);
    if (first !== 'tired' || live.phase !== 'paused') continue;
    driver.sleep();
    return;
  }
}
