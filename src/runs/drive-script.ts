import { setTimeout as delay } from 'node:timers/promises';

import { type Logger, messageOf, type RunScript } from '../core/index.js';
import type { LiveRun } from '../executor/index.js';
import { type NestedPlace, ScriptDriver, type ScriptOutcome } from './script-driver.js';
import type { ReadyCode, ScriptPorts } from './script-ports.js';

export interface DriveOptions {
  /** How long a script that waits for a decision is kept in memory. */
  readonly awakeMs: number;
  readonly log: Logger;
  /** A script that was prepared before; otherwise it is prepared from its code. */
  readonly ready?: ReadyCode | undefined;
}

/**
 * Executes the script of a run to its end, however often it must restart on the way. An error ends
 * the script, and if even that fails, the run.
 */
export async function driveScript(
  live: LiveRun,
  ports: ScriptPorts,
  { awakeMs, log, ready }: DriveOptions,
): Promise<void> {
  const { script } = live.state;
  if (!script) return;
  try {
    const outcome = await executeScript(live, ports, { script, awakeMs, ready });
    if (outcome) live.endScript(outcome);
  } catch (error) {
    log.error('script not executed', { run: live.state.run, error: messageOf(error) });
    const failure = { code: 'CODE_STOPPED', message: messageOf(error) } as const;
    live.endScript({ end: { status: 'failed', error: failure }, logs: [], operations: [] });
  }
}

interface ExecuteOptions extends Pick<DriveOptions, 'awakeMs' | 'ready'> {
  readonly script: RunScript;
  /** Set for a script that a task of the run executes. */
  readonly nested?: NestedPlace;
}

/** How a script ended; undefined if it was abandoned. */
export async function executeScript(
  live: LiveRun,
  ports: ScriptPorts,
  { script, nested, awakeMs, ready }: ExecuteOptions,
): Promise<ScriptOutcome | undefined> {
  while (isOpen(live, nested)) {
    live.setScriptBusy(true, nested?.task);
    const driver = new ScriptDriver(live, ports, nested);
    const over = new AbortController();
    const endsAt = performance.now() + ports.limits(script).wallMs;
    const tired = sleepWhenPaused(live, driver, { awakeMs, endsAt, signal: over.signal });
    try {
      const outcome = await driver.run(script, ready);
      if (outcome) return outcome;
    } finally {
      over.abort();
      await tired;
    }
    await rest(live, driver.due, nested);
  }
  return undefined;
}

/** Waits for a decision, or until a timer is due that the script had set before it was evicted. */
async function rest(
  live: LiveRun,
  due: number | undefined,
  nested: NestedPlace | undefined,
): Promise<void> {
  const over = new AbortController();
  const ms = due === undefined ? undefined : Math.max(0, due - live.clock.now());
  const alarm =
    ms === undefined
      ? new Promise<never>(() => {})
      : delay(ms, 'due' as const, { ref: false, signal: over.signal }).catch(() => 'over' as const);
  try {
    while (isOpen(live, nested) && live.phase === 'paused')
      if ((await Promise.race([live.changed(), alarm])) === 'due') return;
  } finally {
    over.abort();
  }
}

function isOpen({ phase, state, scriptSignal }: LiveRun, nested: NestedPlace | undefined): boolean {
  const isOver = nested ? nested.signal.aborted : state.script?.end !== undefined;
  if (scriptSignal.aborted || isOver) return false;
  return phase === 'running' || phase === 'paused';
}

interface SleepOptions {
  readonly awakeMs: number;
  /** When the time limit of the script ends: a decision may take longer than that. */
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
  while (!signal.aborted) {
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
