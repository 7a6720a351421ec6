import { type Logger, messageOf } from '../../core/index.js';
import type { Workflows } from '../../workflows/index.js';

export interface TendOptions {
  /** The current settings. */
  readonly policy: () => { readonly keepRuns: number; readonly keepDays: number };
  /** Other daemons write to the same journal. */
  readonly isShared?: boolean;
  readonly log: Logger;
}

/** How often the daemon looks for runs whose journal failed. */
const RESUME_MS = 30_000;
/** Resumes runs of a dead daemon elsewhere within 20 seconds, its remaining lease included. */
const RESUME_SHARED_MS = 4_000;
const MAINTAIN_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The journal is pruned after so many runs, or this share of the kept runs, ended. */
const PRUNE_LEAST = 20;
const PRUNE_SHARE = 0.1;

/** Resumes runs of earlier processes at the start, and orphaned runs periodically. */
export function tendRuns(
  { runs }: Workflows,
  { policy, isShared = false, log }: TendOptions,
): () => void {
  const resumeMs = isShared ? RESUME_SHARED_MS : RESUME_MS;
  const attempt = (what: string, work: () => Promise<void>) =>
    void work().catch((error: unknown) => log.error(what, { error: messageOf(error) }));
  const maintain = async () => {
    const { keepRuns, keepDays } = policy();
    await runs.maintain({ keepRuns, endedBefore: Date.now() - keepDays * DAY_MS });
  };
  let ended = 0;
  let maintaining: Promise<void> = Promise.resolve();
  const maintainNext = () => {
    ended = 0;
    maintaining = maintaining.then(maintain, maintain);
    return maintaining;
  };
  // A busy hour must not fill memory and disk with runs that expire anyway.
  const stopListening = runs.onEnded(() =>
    attempt('old runs not forgotten', async () => {
      ended += 1;
      if (ended >= Math.max(PRUNE_LEAST, policy().keepRuns * PRUNE_SHARE)) await maintainNext();
    }),
  );
  attempt('runs not resumed', async () => {
    await runs.recover();
    await maintainNext();
  });
  let isResuming = false;
  const resume = async () => {
    // If the database hangs, do not send it more queries.
    if (isResuming) return;
    isResuming = true;
    await runs.resume().finally(() => (isResuming = false));
  };
  const timers = [
    setInterval(() => attempt('runs not resumed', resume), resumeMs),
    setInterval(() => attempt('old runs not forgotten', maintainNext), MAINTAIN_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    stopListening();
    timers.forEach((timer) => clearInterval(timer));
  };
}
