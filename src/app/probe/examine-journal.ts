import type { LoadedConfig } from '../../config/load.js';
import type { Logger, RunLog } from '../../core/index.js';
import type { Store } from '../../store/index.js';
import { findJournalProblems } from './journal-problems.js';

interface Examined {
  readonly runLog: Promise<RunLog>;
  readonly store: Promise<Store | undefined>;
  readonly log: Logger;
}

/** What is wrong with the journal of a daemon that starts, in words. */
export function examineJournal(
  { file: { database, workflows } }: LoadedConfig,
  { runLog, store, log }: Examined,
): Promise<readonly string[]> {
  return findJournalProblems({
    log: runLog,
    // A database that several daemons share holds their runs as well.
    store: database === 'embedded' ? store : undefined,
    keepDays: workflows.keepDays,
    now: () => Date.now(),
    logger: log,
  });
}
