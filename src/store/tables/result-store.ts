import { type Kysely, sql } from 'kysely';

import type { FoundResult, PruneResults, ResultStore, StoredResult } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import { fromParts, toParts } from './result-parts.js';
import { storable } from './storable-text.js';

/** Long results in SQL, the same for PGlite and PostgreSQL. */
export function createResultStore(db: Kysely<Tables>): ResultStore {
  return {
    save: (result) => attempt(`save the result ${result.handle}`, () => insertResult(db, result)),
    load: (handle, now) =>
      attempt(`load the result ${handle}`, () => selectResult(db, storable(handle), now)),
    prune: (options) => attempt('delete old results', () => pruneResults(db, options)),
  };
}

async function insertResult(db: Kysely<Tables>, result: StoredResult): Promise<number> {
  // Outside of the transaction: on PGlite all other queries would wait for it.
  const parts = await toParts(result.text);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const handle = storable(result.handle);
  await db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('result_blob')
      .values({
        handle,
        mime_type: storable(result.mimeType),
        bytes,
        created_at: result.createdAt,
        expires_at: result.expiresAt,
        gone: null,
      })
      .onConflict((conflict) => conflict.column('handle').doNothing())
      .executeTakeFirst();
    if (inserted === 0n) return;
    for (const [position, content] of parts.entries()) {
      await sql`insert into result_part (handle, position, content)
        values (${handle}, ${position}::int, ${content}::bytea)`.execute(trx);
    }
  });
  return bytes;
}

function selectResult(db: Kysely<Tables>, handle: string, now: Date): Promise<FoundResult> {
  // One view of both tables: it may be deleted while it is read.
  const view = db.transaction().setIsolationLevel('repeatable read');
  return view.execute(async (trx): Promise<FoundResult> => {
    const row = await trx
      .selectFrom('result_blob')
      .select(['mime_type', 'expires_at', 'gone'])
      .where('handle', '=', handle)
      .executeTakeFirst();
    if (!row) return { status: 'unknown' };
    if (row.gone === 'dropped') return { status: 'dropped' };
    const expiresAt = row.expires_at;
    if (row.gone === 'expired' || expiresAt <= now) return { status: 'expired', expiresAt };
    const text = await fromParts(await selectParts(trx, handle));
    return { status: 'kept', text, mimeType: row.mime_type, expiresAt };
  });
}

/** One by one: answers are copied between threads. */
async function selectParts(db: Kysely<Tables>, handle: string): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const row = await db
      .selectFrom('result_part')
      .select('content')
      .where('handle', '=', handle)
      .where('position', '=', parts.length)
      .executeTakeFirst();
    if (!row) return parts;
    parts.push(row.content);
  }
}

function pruneResults(
  db: Kysely<Tables>,
  { now, maxBytes, forgetBefore }: PruneResults,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    // Machines that prune at once take turns: they would lock the same rows in any order.
    await sql`lock table result_blob in share row exclusive mode`.execute(trx);
    await sql`update result_blob set gone = 'expired'
      where gone is null and expires_at <= ${now}`.execute(trx);
    await sql`update result_blob set gone = 'dropped' where handle in (
      select handle from (
        select handle, sum(bytes) over (order by created_at desc, handle) as total
        from result_blob where gone is null
      ) as kept where total > ${maxBytes}::float8)`.execute(trx);
    await sql`delete from result_part as part using result_blob as blob
      where part.handle = blob.handle and blob.gone is not null`.execute(trx);
    await sql`delete from result_blob
      where gone is not null and expires_at <= ${forgetBefore}`.execute(trx);
  });
}
