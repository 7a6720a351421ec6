import type { Migration } from './migration.js';

export const templates: Migration = {
  version: 10,
  name: 'templates',
  statements: [
    // Without it a binding gave all of its parameter, as those of before say.
    `alter table execution_binding add column part json check (json_typeof(part) = 'object')`,
  ],
};
