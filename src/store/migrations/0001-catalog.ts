import type { Migration } from './migration.js';

export const catalog: Migration = {
  version: 1,
  name: 'catalog',
  statements: [
    `create table server (
      name text primary key,
      config_hash text not null,
      listing json not null,
      eras json not null,
      probed_at timestamptz not null,
      first_seen timestamptz not null,
      last_seen timestamptz not null
    )`,
    `create table tool (
      id text primary key,
      server text not null references server (name) on delete cascade,
      position integer not null,
      definition json not null,
      hash text not null,
      status text not null check (status in ('active', 'quarantined', 'blocked', 'gone')),
      reason text,
      first_seen timestamptz not null,
      last_seen timestamptz not null
    )`,
    `create index tool_by_server on tool (server)`,
    `create table tool_change (
      id integer generated always as identity primary key,
      tool text not null,
      at timestamptz not null,
      kind text not null check (kind in ('added', 'changed', 'removed', 'approved')),
      old_hash text,
      new_hash text,
      diff json not null
    )`,
    `create index tool_change_by_time on tool_change (at desc, id desc)`,
    `create index tool_change_by_tool on tool_change (tool, at desc, id desc)`,
  ],
};
