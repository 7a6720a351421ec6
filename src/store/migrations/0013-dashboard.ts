import type { Migration } from './migration.js';

export const dashboard: Migration = {
  version: 13,
  name: 'dashboard',
  statements: [
    // Versions of before do not say when their calls began and how long they took.
    `alter table capability_version
      add column invocations json check (json_typeof(invocations) = 'array')`,
    `alter table tool_change drop constraint tool_change_kind_check`,
    `alter table tool_change add constraint tool_change_kind_check
      check (kind in ('added', 'changed', 'removed', 'approved', 'blocked'))`,
  ],
};
