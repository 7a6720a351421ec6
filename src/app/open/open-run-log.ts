import { join } from 'node:path';

import type { LoadedConfig } from '../../config/load.js';
import type { Logger, RunLog } from '../../core/index.js';
import { openFileRunLog } from '../../journal/index.js';
import type { Store } from '../../store/index.js';

interface JournalPlace extends Pick<LoadedConfig, 'dataDir'> {
  readonly file: Pick<LoadedConfig['file'], 'database'>;
}

export function journalPlace(dataDir: string) {
  const directory = join(dataDir, 'journal');
  return { directory, markPath: `${directory}.mark` };
}

/**
 * The journal of runs: a file beside the embedded store, which it need not wait for, or a table that
 * several daemons share. While that database cannot be reached runs are kept here.
 */
export async function openRunLog(
  { dataDir, file }: JournalPlace,
  store: Promise<Pick<Store, 'runLog'> | undefined>,
  log: Logger,
): Promise<RunLog> {
  const shared = file.database === 'embedded' ? undefined : (await store)?.runLog;
  if (shared) return shared;
  if (file.database !== 'embedded') {
    log.warn('runs are kept in the data directory until the database can be reached');
  }
  const { directory, markPath } = journalPlace(dataDir);
  return openFileRunLog({ directory, markPath, log });
}
