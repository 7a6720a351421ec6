import type { Migration } from './migration.js';

export const origins: Migration = {
  version: 11,
  name: 'origins',
  statements: [
    // Executions of before do not say which of their values PML had filled in.
    `alter table execution_trace add column has_origins boolean`,
    `alter table execution_call add column origins json check (json_typeof(origins) = 'object')`,
    `alter table execution_binding add column origin json check (json_typeof(origin) = 'object')`,
  ],
};
