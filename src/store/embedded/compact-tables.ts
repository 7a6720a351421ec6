import { type Kysely, sql } from 'kysely';

import type { Tables } from '../schema.js';

/** The measures of a table that decide whether it is rewritten. */
export interface TableUse {
  readonly name: string;
  /** Including its indexes and the values stored outside its rows. */
  readonly bytes: number;
  readonly rows: number;
  /** The current size of one row. */
  readonly rowBytes: number;
}

/** Below this, the gain would not be noticeable. */
const LEAST_BYTES = 8 << 20;
/** Overhead of a row: its header and its index entries. */
const ROW_OVERHEAD = 160;
/** A table this many times larger than its content is mostly empty. */
const MOSTLY_EMPTY = 2;
const SAMPLED_ROWS = 500;

/** Whether most of a table is space that removed and changed rows left behind. */
export function isMostlyEmpty({ bytes, rows, rowBytes }: TableUse): boolean {
  const needed = rows * (rowBytes + ROW_OVERHEAD);
  return bytes >= LEAST_BYTES && bytes > MOSTLY_EMPTY * needed;
}

/** Our tables, largest first. */
export async function readTableUses(db: Kysely<Tables>): Promise<readonly TableUse[]> {
  const { rows: tables } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and pg_total_relation_size(oid) >= ${LEAST_BYTES}::float8
    order by bytes desc`.execute(db);
  const uses: TableUse[] = [];
  for (const { name, bytes } of tables) {
    const { rows } = await sql<{ rows: number; row_bytes: number | null }>`
      select (select count(*)::float8 from ${sql.table(name)}) as rows,
        (select avg(pg_column_size(sample.*))::float8
          from (select * from ${sql.table(name)} limit ${SAMPLED_ROWS}) as sample) as row_bytes`.execute(
      db,
    );
    uses.push({ name, bytes, rows: rows[0]?.rows ?? 0, rowBytes: rows[0]?.row_bytes ?? 0 });
  }
  return uses;
}
