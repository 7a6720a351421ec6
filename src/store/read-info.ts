import { type Kysely, sql } from 'kysely';

import { schemaVersion } from './migrate.js';
import { COUNTED_TABLES, type Tables } from './schema.js';
import { attempt } from './store-errors.js';
import type { StoreInfo } from './store.js';
import { countRows } from './tables/row-counts.js';

export function readInfo(db: Kysely<Tables>, engine: StoreInfo['engine']): Promise<StoreInfo> {
  return attempt('read the state of the store', async () => {
    // As float8: `pg` gives int8 as text, PGlite as number.
    const { rows } = await sql<{ version: string; size: number }>`
      select current_setting('server_version') as version,
        pg_database_size(current_database())::float8 as size`.execute(db);
    return {
      engine,
      version: rows[0]?.version ?? 'unknown',
      ...(rows[0] === undefined ? {} : { sizeBytes: rows[0].size }),
      schemaVersion: await schemaVersion(db),
      counts: await countRows(db, COUNTED_TABLES),
    };
  });
}
