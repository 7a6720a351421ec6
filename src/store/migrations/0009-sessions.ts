import type { Migration } from './migration.js';

export const sessions: Migration = {
  version: 9,
  name: 'sessions',
  statements: [
    // Executions of before have none: nobody kept what came before them.
    `alter table execution_trace
      add column called_before json check (json_typeof(called_before) = 'array')`,
  ],
};
