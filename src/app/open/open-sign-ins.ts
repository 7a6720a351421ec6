import { createHash } from 'node:crypto';
import { join } from 'node:path';

import {
  ChosenSignInStore,
  FileSignInStore,
  RemoteSignIns,
  SharedSignInStore,
} from '../../auth/index.js';
import { type Environment, pmlHome } from '../../config/find.js';
import type { LoadedConfig } from '../../config/load.js';
import { type Logger, PmlError, type ServerName, type SharedSignIns } from '../../core/index.js';
import type { ConnectedStore } from './connect-store.js';

interface OpenOptions {
  readonly env: Environment;
  readonly connecting: Promise<ConnectedStore>;
  readonly log: Logger;
  /** A person signed in, so the server can be used. */
  readonly onSignedIn: (server: ServerName) => void;
}

/**
 * The sign-ins to remote servers: of one data directory, or of all gateways on one PostgreSQL database.
 * Reads nothing before a server needs it.
 */
export function openSignIns(config: LoadedConfig, options: OpenOptions): RemoteSignIns {
  const { log, onSignedIn } = options;
  const own = new ChosenSignInStore({
    files: new FileSignInStore(join(config.dataDir, 'sign-ins')),
    scope: sha256(config.dataDir).slice(0, 16),
  });
  return new RemoteSignIns({
    store: config.file.database === 'embedded' ? own : sharedStore(config, own, options),
    log,
    now: () => Date.now(),
    onChange: (server, { isSignedIn }) => {
      if (isSignedIn) onSignedIn(server);
    },
  });
}

function sharedStore(
  { file: { database, signInKey } }: LoadedConfig,
  own: ChosenSignInStore,
  { env, connecting, log }: OpenOptions,
): SharedSignInStore {
  const { host, pathname, search } = new URL(database);
  return new SharedSignInStore({
    rows: () => sharedRows(connecting),
    secret: signInKey,
    keys: new ChosenSignInStore({
      files: new FileSignInStore(join(pmlHome(env), 'sign-in-keys')),
      scope: 'database',
    }),
    database: sha256(`${host}${pathname}${search}`).slice(0, 32),
    own,
    log,
  });
}

async function sharedRows(connecting: Promise<ConnectedStore>): Promise<SharedSignIns> {
  const { store } = await connecting;
  if (store?.sharedSignIns) return store.sharedSignIns;
  throw new PmlError(
    'SIGN_IN_FAILED',
    'The sign-ins are in the database, which PML could not open. pml doctor says why; then run pml restart',
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
