import type { LoadedConfig } from '../../config/load.js';
import { type Logger, messageOf, type RunLog } from '../../core/index.js';
import type { Store } from '../../store/index.js';
import { openRunLog } from './open-run-log.js';

/** The journal of a daemon that starts; PML reports a failure here and in every run that needs it. */
export function openRunJournal(
  config: LoadedConfig,
  store: Promise<Store | undefined>,
  log: Logger,
): Promise<RunLog> {
  const opening = openRunLog(config, store, log);
  opening.catch((error: unknown) =>
    log.error('no journal: workflows that change something are refused', {
      error: messageOf(error),
    }),
  );
  return opening;
}
