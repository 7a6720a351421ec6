import type { Migration } from './migration.js';

export const invocations: Migration = {
  version: 12,
  name: 'invocations',
  statements: [
    // Versions of before do not say when their calls began and how long they took.
    `alter table capability_version
      add column invocations json check (json_typeof(invocations) = 'array')`,
  ],
};
