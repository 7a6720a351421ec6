import type { Migration } from './migration.js';

export const toolVectors: Migration = {
  version: 14,
  name: 'tool-vectors',
  statements: [
    // Beside the model and not in it: models are read often, and as text.
    `create table tool_vectors (
      model text primary key,
      at timestamptz not null,
      space text not null,
      tools json not null check (json_typeof(tools) = 'array'),
      weights bytea not null
    )`,
  ],
};
