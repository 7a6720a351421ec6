import type { Migration } from './migration.js';

export const episodes: Migration = {
  version: 12,
  name: 'episodes',
  statements: [
    `create table episode (
      id text primary key,
      at timestamptz not null,
      rung text not null check (rung in ('warm', 'offer', 'speculate')),
      client text not null,
      intent text not null,
      last json not null check (json_typeof(last) = 'array'),
      predicted text not null,
      confidence double precision not null check (confidence between 0 and 1),
      claimed double precision check (claimed between 0 and 1),
      threshold double precision not null check (threshold >= 0),
      was_done boolean not null,
      outcome text not null check (outcome in ('exact', 'tool', 'other', 'expired')),
      actual text,
      saved_ms double precision not null check (saved_ms >= 0),
      wasted_ms double precision not null check (wasted_ms >= 0)
    )`,
    `create index episode_by_time on episode (at desc, id desc)`,
    `create table threshold (
      rung text not null check (rung in ('warm', 'offer', 'speculate')),
      kind text not null,
      value double precision not null check (value between 0 and 1),
      is_off boolean not null,
      why text not null,
      at timestamptz not null,
      primary key (rung, kind)
    )`,
  ],
};
