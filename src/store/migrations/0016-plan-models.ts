import type { Migration } from './migration.js';

export const planModels: Migration = {
  version: 16,
  name: 'plan-models',
  statements: [
    // Beside those of ranking: both have weights in use at the same time.
    `create table plan_model (
      id text primary key,
      at timestamptz not null,
      parameters json not null,
      metric json not null,
      status text not null check (status in ('active', 'retired', 'rejected', 'rolled-back'))
    )`,
    `create unique index plan_model_one_active on plan_model (status) where status = 'active'`,
  ],
};
