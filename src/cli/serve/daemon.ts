import { parseArgs } from 'node:util';

import type { ConfigOrigin } from '../../config/find.js';
import { PmlError } from '../../core/index.js';
import { becomeOwner } from '../../daemon/become-owner.js';
import { assertSafe } from '../../daemon/data-dir.js';
import { explainDeath, lastWords } from '../../daemon/last-words.js';
import { leaveStartError } from '../../daemon/start-error.js';
import { loadGently } from '../../process/gentle-loading.js';

/**
 * `pml daemon`: started by relays, never by hand. Takes the lock before it loads anything, so that
 * of many started at the same moment all but one end as soon as that one serves. `onLoaded` is called
 * when everything is loaded that the first lists need.
 */
export async function daemon(args: readonly string[], onLoaded: () => void): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: { type: 'string' },
      'data-dir': { type: 'string' },
      home: { type: 'string' },
      origin: { type: 'string' },
    },
  });
  const { config, 'data-dir': dataDir, home, origin = 'flag' } = values;
  if (config === undefined || dataDir === undefined || home === undefined) {
    throw new PmlError('BAD_REQUEST', 'pml daemon needs --config, --data-dir and --home');
  }
  process.env['PML_DATA_DIR'] = dataDir;
  assertSafe({ dataDir, home });
  loadGently();
  const ownership = await becomeOwner(dataDir);
  if (!ownership) return;
  const { lock, predecessor } = ownership;
  try {
    const { runDaemon } = await import('../../app/run-daemon.js');
    await runDaemon({
      config,
      origin: origin as ConfigOrigin,
      lock,
      onLoaded,
      ...(predecessor && { predecessor: explainDeath(predecessor, lastWords(dataDir)) }),
    });
  } catch (error) {
    leaveStartError(dataDir, error);
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}
