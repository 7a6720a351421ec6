import { setTimeout as delay } from 'node:timers/promises';

import type { LoadedConfig } from '../../config/load.js';
import type { Logger } from '../../core/index.js';
import { isExhausted } from '../../process/index.js';
import { createEmbeddedStore, createPostgresStore, type Store } from '../../store/index.js';

/** Files run out for a moment, for example while many servers start. */
const MOST_TRIES = 10;
const TRY_AGAIN_MS = 2_000;

export async function openStore(config: LoadedConfig, logger: Logger): Promise<Store> {
  for (let tries = 1; ; tries++) {
    try {
      return await open(config, logger);
    } catch (error) {
      if (!isExhausted(error) || tries === MOST_TRIES) throw error;
      logger.warn('no file left to open the store with; trying again', { tries });
      await delay(TRY_AGAIN_MS);
    }
  }
}

function open(config: LoadedConfig, logger: Logger): Promise<Store> {
  const { database } = config.file;
  return database === 'embedded'
    ? createEmbeddedStore({ dataDir: config.dataDir, logger })
    : createPostgresStore({ url: database, logger });
}
