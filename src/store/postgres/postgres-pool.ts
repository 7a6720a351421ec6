import type { Pool } from 'pg';

import { type Logger, messageOf } from '../../core/index.js';

const MAX_CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Connections to a PostgreSQL server. One that breaks is replaced when it is next needed. */
export async function openPool(url: string, logger: Logger): Promise<Pool> {
  // Most users never need the driver: it costs nothing until it is asked for.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'pml',
  });
  // Without a listener for each case the loss of a connection would end us: the pool speaks for
  // idle ones; one in use rejects its query as well, and whoever asked says what that means.
  pool.on('error', (error) => logger.warn('database connection lost', { error: messageOf(error) }));
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
