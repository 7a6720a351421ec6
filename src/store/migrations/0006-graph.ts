import type { Migration } from './migration.js';

export const graph: Migration = {
  version: 6,
  name: 'graph',
  statements: [
    // Compared byte by byte: PML reads and writes them in this order.
    `create table graph_node (
      id text collate "C" primary key,
      calls bigint not null check (calls >= 0),
      failures bigint not null check (failures >= 0),
      repeats bigint not null check (repeats >= 0),
      runs bigint not null check (runs >= 0),
      total_ms double precision not null,
      last_at double precision not null
    )`,
    `create table graph_edge (
      from_id text collate "C" not null,
      to_id text collate "C" not null,
      type text collate "C" not null
        check (type in ('dependency', 'contains', 'provides', 'sequence', 'alternative')),
      observed bigint not null check (observed >= 0),
      failed bigint not null check (failed >= 0),
      last_at double precision not null,
      primary key (from_id, to_id, type)
    )`,
    // How many executions the graph counts. If more exist, the graph must be rebuilt.
    `create table graph_state (
      is_only boolean primary key default true check (is_only),
      executions bigint not null
    )`,
    `insert into graph_state (executions) values (0)`,
  ],
};
