import { type Kysely, sql } from 'kysely';

import type { SharedSignIns } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';

/**
 * Sign-ins in a database that several gateways write. A lease is a row and not a lock of a session: it
 * outlives a broken connection, so the gateway that renewed a token can still store it. Only the clock
 * of the database measures leases.
 */
export function createSharedSignIns(db: Kysely<Tables>): SharedSignIns {
  return {
    read: (id) =>
      attempt('read a sign-in', async () => {
        const row = await db
          .selectFrom('sign_in')
          .select('sealed')
          .where('id', '=', id)
          .executeTakeFirst();
        return row?.sealed ?? undefined;
      }),

    write: (id, owner, sealed) =>
      attempt('write a sign-in', async () => {
        const { numUpdatedRows } = await db
          .updateTable('sign_in')
          .set({ sealed: sealed ?? null })
          .where('id', '=', id)
          .where('owner', '=', owner)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    lease: (id, owner, ms) =>
      attempt('lease a sign-in', async () => {
        const { rows } = await sql<{ id: string }>`
          insert into sign_in (id, owner, leased_until)
          values (${id}, ${owner}, clock_timestamp() + ${ms} * interval '1 ms')
          on conflict (id) do update
            set owner = excluded.owner, leased_until = excluded.leased_until
            where sign_in.owner is null or sign_in.owner = excluded.owner
              or sign_in.leased_until < clock_timestamp()
          returning id`.execute(db);
        return rows.length > 0;
      }),

    release: (id, owner) =>
      attempt('release a sign-in', async () => {
        await sql`
          with freed as (
            update sign_in set owner = null, leased_until = null
            where id = ${id} and owner = ${owner} and sealed is not null
          )
          delete from sign_in where id = ${id} and owner = ${owner} and sealed is null`.execute(db);
      }),
  };
}
