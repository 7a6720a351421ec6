import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { ChosenSignInStore, FileSignInStore, RemoteSignIns } from '../../auth/index.js';
import type { LoadedConfig } from '../../config/load.js';
import type { Logger, ServerName } from '../../core/index.js';

interface OpenOptions {
  readonly log: Logger;
  /** A person signed in, so the server can be used. */
  readonly onSignedIn: (server: ServerName) => void;
}

/** The sign-ins to remote servers of one data directory. Reads nothing before a server needs it. */
export function openSignIns(
  { dataDir }: LoadedConfig,
  { log, onSignedIn }: OpenOptions,
): RemoteSignIns {
  return new RemoteSignIns({
    store: new ChosenSignInStore({
      files: new FileSignInStore(join(dataDir, 'sign-ins')),
      scope: createHash('sha256').update(dataDir).digest('hex').slice(0, 16),
    }),
    log,
    now: () => Date.now(),
    onChange: (server, { isSignedIn }) => {
      if (isSignedIn) onSignedIn(server);
    },
  });
}
