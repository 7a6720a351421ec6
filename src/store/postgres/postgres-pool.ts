import type { Pool } from 'pg';

import { type Logger, messageOf } from '../../core/index.js';

const MAX_CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Connections to a PostgreSQL server. A broken one is replaced when one is needed next. */
export async function openPool(url: string, logger: Logger): Promise<Pool> {
  // Most users never need the driver, so it is loaded on demand.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'pml',
  });
  // Without both listeners a lost connection would end this process. The pool reports idle ones;
  // one in use also rejects its query, and the caller handles that error.
  pool.on('error', (error) => logger.warn('database connection lost', { error: messageOf(error) }));
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
