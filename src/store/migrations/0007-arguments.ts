import type { Migration } from './migration.js';

export const pastArguments: Migration = {
  version: 7,
  name: 'arguments',
  statements: [
    // Older calls have no recorded arguments.
    `alter table execution_call add column args json check (json_typeof(args) = 'object')`,
  ],
};
