import type { Migration } from './migration.js';

export const capabilities: Migration = {
  version: 4,
  name: 'capabilities',
  statements: [
    // Only what is not active has a reason, and only what is quarantined a cause.
    `create table capability (
      name text primary key,
      aliases json not null,
      description text not null,
      intents json not null,
      status text not null check (status in ('active', 'quarantined', 'disabled')),
      cause text check (cause in ('failures', 'definitions', 'contained')),
      reason text,
      is_pinned boolean not null,
      current_identity text not null,
      check ((status = 'active') = (reason is null)),
      check ((status = 'quarantined') = (cause is not null))
    )`,
    `create table capability_version (
      capability text not null references capability (name) on delete cascade,
      identity text not null,
      version integer not null check (version > 0),
      code text not null,
      parameters json not null,
      lock json not null,
      contains json not null,
      structure json not null,
      tools_used json not null,
      sequence json not null,
      uses integer not null check (uses >= 0),
      successes integer not null check (successes between 0 and uses),
      failures_in_row integer not null check (failures_in_row >= 0),
      total_ms double precision not null check (total_ms >= 0),
      last_used timestamptz,
      origin text not null check (origin in ('learned', 'imported')),
      run text,
      proven_at timestamptz not null,
      primary key (capability, identity)
    )`,
    // A capability without the code in use would be an empty name; checked when all is written.
    `alter table capability
      add foreign key (name, current_identity)
        references capability_version (capability, identity) deferrable initially deferred`,
  ],
};
