import type { Logger } from '../core/index.js';
import { createEmbeddedStore, createPostgresStore, type Store } from '../store/index.js';
import type { LoadedConfig } from './load-config.js';

export function openStore(config: LoadedConfig, logger: Logger): Promise<Store> {
  const { database } = config.file;
  return database === 'embedded'
    ? createEmbeddedStore({ dataDir: config.dataDir, logger })
    : createPostgresStore({ url: database, logger });
}
