import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { Tables } from '../schema.js';

interface Dated {
  readonly id: string;
  readonly at: Date;
}

/** Reads the newest `count` rows among those that are `older` than the previous page. */
type ReadPage<Row> = (
  view: Kysely<Tables>,
  older: RawBuilder<boolean>,
  count: number,
) => Promise<readonly Row[]>;

/** Few enough that others wait only briefly for the one connection of PGlite. */
const PAGE_ROWS = 200;

/** Reads the newest rows, newest first, in pages of one consistent snapshot. */
export function readNewest<Row extends Dated>(
  db: Kysely<Tables>,
  limit: number,
  readPage: ReadPage<Row>,
): Promise<readonly Row[]> {
  const view = db.transaction().setIsolationLevel('repeatable read');
  return view.execute(async (trx) => {
    const rows: Row[] = [];
    for await (const page of newestPages(trx, limit, readPage)) rows.push(...page);
    return rows;
  });
}

/** The same page by page. Outside a transaction, rows added meanwhile may be missing. */
export async function* newestPages<Row extends Dated>(
  view: Kysely<Tables>,
  limit: number,
  readPage: ReadPage<Row>,
): AsyncGenerator<readonly Row[], void> {
  let read = 0;
  let last: Row | undefined;
  while (read < limit) {
    const count = Math.min(PAGE_ROWS, limit - read);
    const page = await readPage(view, olderThan(last), count);
    if (page.length > 0) yield page;
    if (page.length < count) return;
    read += page.length;
    last = page.at(-1);
  }
}

/** Time as text: the two drivers write dates differently. */
function olderThan(row: Dated | undefined): RawBuilder<boolean> {
  if (row === undefined) return sql`true`;
  return sql`(at, id) < (${row.at.toISOString()}::timestamptz, ${row.id}::text)`;
}
