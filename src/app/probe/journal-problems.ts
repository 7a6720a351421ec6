import { type ExecutionTrace, type Logger, messageOf, type RunLog } from '../../core/index.js';

/** Executions that are looked at for one that was a run; direct calls are executions too. */
const LOOKED_AT = 200;
const DAY_MS = 86_400_000;

interface RememberedRuns {
  readonly experience: {
    load(options: { limit: number }): Promise<readonly ExecutionTrace[]>;
  };
}

interface Known {
  readonly log: Promise<RunLog>;
  /** Missing where it says nothing of this journal. */
  readonly store: Promise<RememberedRuns | undefined> | undefined;
  readonly keepDays: number;
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * What is wrong with the journal: what it found when it was opened, or that it knows no run although
 * the store remembers some that would still be kept. To be asked before a new run is begun. Never
 * rejects.
 */
export async function findJournalProblems(known: Known): Promise<readonly string[]> {
  // Opening the store takes seconds, and runs may begin and end meanwhile.
  const since = known.now();
  try {
    const log = await known.log;
    const found = log.problems();
    const isEmpty = (await log.list({ limit: 1 })).length === 0;
    return found.length > 0 || !isEmpty ? found : await forgottenRuns(known, since);
  } catch (error) {
    return [messageOf(error)];
  }
}

async function forgottenRuns(
  { store, keepDays, logger }: Known,
  since: number,
): Promise<readonly string[]> {
  const traces = (await (await store)?.experience.load({ limit: LOOKED_AT })) ?? [];
  const newest = traces.findLast(({ run, at }) => {
    const age = since - at.getTime();
    return run !== undefined && age > 0 && age < keepDays * DAY_MS;
  });
  if (!newest) return [];
  const problem = `the journal is empty or missing, but the store remembers ${newest.run} of ${newest.at.toISOString()}; runs that were unfinished are lost`;
  logger.error('the run journal is empty although there were runs', { problem });
  return [problem];
}
