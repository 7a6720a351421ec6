import type { Migration } from './migration.js';

/** Sign-ins of gateways that share a PostgreSQL database; the embedded database has no rows here. */
export const signIns: Migration = {
  version: 17,
  name: 'sign-ins',
  statements: [
    // `sealed` is encrypted with a key that is not in the database.
    `create table sign_in (
      id text primary key,
      sealed bytea,
      owner text,
      leased_until timestamptz,
      check ((owner is null) = (leased_until is null))
    )`,
  ],
};
