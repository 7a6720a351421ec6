import { type Logger, messageOf } from '../core/index.js';
import type { Gateway } from '../gateway/index.js';

export interface TendOptions {
  /** As they are now. */
  readonly policy: () => { readonly keepRuns: number; readonly keepDays: number };
  readonly log: Logger;
}

/** Runs of a daemon that died elsewhere, and those whose journal failed, are looked for this often. */
const RESUME_MS = 30_000;
const MAINTAIN_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Takes up what earlier processes left, and from time to time what nobody works on. */
export function tendRuns({ runs }: Gateway, { policy, log }: TendOptions): () => void {
  const attempt = (what: string, work: () => Promise<void>) =>
    void work().catch((error: unknown) => log.error(what, { error: messageOf(error) }));
  const maintain = async () => {
    const { keepRuns, keepDays } = policy();
    await runs.maintain({ keepRuns, endedBefore: Date.now() - keepDays * DAY_MS });
  };
  attempt('runs not taken up', async () => {
    await runs.recover();
    await maintain();
  });
  const timers = [
    setInterval(() => attempt('runs not taken up', () => runs.resume()), RESUME_MS),
    setInterval(() => attempt('old runs not forgotten', maintain), MAINTAIN_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach((timer) => clearInterval(timer));
}
