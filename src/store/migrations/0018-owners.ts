import type { Migration } from './migration.js';

/** Executions of named clients belong to them; those of the user have no owner. */
export const owners: Migration = {
  version: 18,
  name: 'owners',
  statements: [
    `alter table execution_trace add column owner text`,
    `create index execution_trace_by_owner on execution_trace (owner, at) where owner is not null`,
  ],
};
