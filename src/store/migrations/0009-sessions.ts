import type { Migration } from './migration.js';

export const sessions: Migration = {
  version: 9,
  name: 'sessions',
  statements: [
    // Older executions have no recorded earlier calls.
    `alter table execution_trace
      add column called_before json check (json_typeof(called_before) = 'array')`,
  ],
};
