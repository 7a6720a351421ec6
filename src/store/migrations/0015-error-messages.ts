import type { Migration } from './migration.js';

export const errorMessages: Migration = {
  version: 15,
  name: 'error-messages',
  statements: [
    // Masked and short. Executions of before do not say it.
    `alter table execution_call add column error_message text`,
  ],
};
