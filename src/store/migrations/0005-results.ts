import type { Migration } from './migration.js';

export const results: Migration = {
  version: 5,
  name: 'results',
  statements: [
    // A row outlives its parts: a late reader learns what happened to the result.
    `create table result_blob (
      handle text primary key,
      mime_type text not null,
      bytes integer not null check (bytes >= 0),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      gone text check (gone in ('expired', 'dropped'))
    )`,
    `create index result_blob_expiry on result_blob (expires_at)`,
    `create table result_part (
      handle text not null references result_blob (handle) on delete cascade,
      position integer not null check (position >= 0),
      content bytea not null,
      primary key (handle, position)
    )`,
    // The content is compressed already.
    `alter table result_part alter column content set storage external`,
  ],
};
