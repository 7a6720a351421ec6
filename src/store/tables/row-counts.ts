import { type Kysely, sql } from 'kysely';

import type { Tables } from '../schema.js';

export type RowCounts = Readonly<Record<string, number>>;

export async function countRows(
  db: Kysely<Tables>,
  tables: readonly (keyof Tables)[],
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(table)}`.execute(db);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
