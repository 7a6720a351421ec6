import type { Migration } from './migration.js';

export const runs: Migration = {
  version: 3,
  name: 'runs',
  statements: [
    `alter table execution_trace
      add column run text,
      add column ms double precision,
      add column decisions json`,
    `create unique index execution_trace_one_per_run on execution_trace (run)
      where run is not null`,
    // A call is made by one before it, so following parents always ends.
    `alter table execution_call
      add column start_ms double precision,
      add column parent integer check (parent >= 0 and parent < position),
      add column error_type text check (error_type in
        ('timeout', 'permission', 'not_found', 'validation', 'network', 'unknown')),
      add foreign key (trace, parent) references execution_call (trace, position)
        on delete cascade`,
    `create table tool_output (
      tool text primary key,
      definition_hash text not null,
      schema json not null,
      observations integer not null check (observations >= 0),
      updated_at timestamptz not null
    )`,
    // No index names what every write changes: those updates stay within their page.
    `create table run (
      id text primary key,
      position bigint generated always as identity,
      started_at timestamptz not null,
      finished_at timestamptz,
      owner text not null,
      leased_until timestamptz not null,
      epoch integer not null check (epoch > 0),
      first_seq integer not null check (first_seq >= 0),
      next_seq integer not null check (next_seq > first_seq)
    )`,
    `create unique index run_by_position on run (position)`,
    `create index run_unfinished on run (position) where finished_at is null`,
    `create index run_by_end on run (finished_at) where finished_at is not null`,
    // Text, not json: what is written must come back to the letter, whatever it holds.
    `create table run_event (
      run text not null references run (id) on delete cascade,
      seq integer not null check (seq >= 0),
      events text not null,
      primary key (run, seq)
    )`,
  ],
};
