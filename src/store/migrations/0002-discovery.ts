import type { Migration } from './migration.js';

/**
 * Without the extension, or without the right to create it, vectors are kept as bytes. Only these
 * failures mean that; any other must end the step.
 */
const TRY_EXTENSION = `do $$
  begin
    create extension if not exists vector;
  exception
    when feature_not_supported or undefined_file or insufficient_privilege then null;
  end
$$`;

/**
 * The same table with the type that is there. It may be installed in a schema we do not see, so the
 * type is asked for, not the extension. Vectors hardly compress: no time is spent on trying.
 */
const CREATE_EMBEDDING = `do $$
  declare
    has_vector constant boolean := to_regtype('vector') is not null
      and exists (select from pg_extension where extname = 'vector');
  begin
    execute format(
      'create table embedding (
        space text not null,
        content_hash text not null,
        dimension integer not null,
        vector %s not null,
        created_at timestamptz not null default now(),
        primary key (space, content_hash),
        foreign key (space, dimension)
          references embedding_space (id, dimension) on delete cascade,
        constraint embedding_has_dimension check (%s = dimension)
      )',
      case when has_vector then 'vector' else 'bytea' end,
      case when has_vector then 'vector_dims(vector)' else 'octet_length(vector) / 4.0' end
    );
    alter table embedding alter column vector set storage external;
  end
$$`;

export const discovery: Migration = {
  version: 2,
  name: 'discovery',
  statements: [
    TRY_EXTENSION,
    `create table embedding_space (
      id text primary key,
      dimension integer not null check (dimension between 1 and 16000),
      created_at timestamptz not null default now(),
      unique (id, dimension)
    )`,
    CREATE_EMBEDDING,
    `create table execution_trace (
      id text primary key,
      intent text not null,
      at timestamptz not null,
      source text not null check (source in ('live', 'import')),
      ok boolean not null,
      group_name text
    )`,
    `create index execution_trace_by_time on execution_trace (at desc, id desc)`,
    `create table execution_call (
      trace text not null references execution_trace (id) on delete cascade,
      position integer not null check (position >= 0),
      tool text not null,
      ok boolean not null,
      ms double precision,
      primary key (trace, position)
    )`,
    `create table execution_binding (
      trace text not null,
      position integer not null check (position >= 0),
      producer integer not null,
      consumer integer not null,
      field text,
      param text,
      primary key (trace, position),
      foreign key (trace, producer) references execution_call (trace, position) on delete cascade,
      foreign key (trace, consumer) references execution_call (trace, position) on delete cascade
    )`,
    `create table algorithm_trace (
      id text primary key,
      at timestamptz not null,
      algorithm text not null,
      intent text not null,
      model text not null,
      weights json not null,
      candidates json not null,
      shown integer not null check (shown >= 0),
      outcome_tool text,
      outcome_place integer check (outcome_place >= 0),
      outcome_ok boolean,
      check (num_nulls(outcome_tool, outcome_place, outcome_ok) in (0, 3))
    )`,
    `create index algorithm_trace_by_time on algorithm_trace (at desc, id desc)`,
    `create table ranking_model (
      id text primary key,
      at timestamptz not null,
      parameters json not null,
      metric json not null,
      status text not null check (status in ('active', 'retired', 'rejected', 'rolled-back'))
    )`,
    `create index ranking_model_by_time on ranking_model (at desc, id desc)`,
    `create unique index ranking_model_one_active on ranking_model (status)
      where status = 'active'`,
  ],
};
