import type { Migration } from './migration.js';

/** Decisions of before were all searches: they have no plan that was taken or not. */
export const decisions: Migration = {
  version: 8,
  name: 'decisions',
  statements: [
    `alter table algorithm_trace
      add column confidence double precision,
      add column threshold double precision,
      add column mode text,
      add column outcome_match text check (outcome_match in ('exact', 'partly', 'none')),
      add column outcome_run text,
      add check (num_nulls(confidence, threshold, mode) in (0, 3)),
      add check (outcome_tool is not null or num_nonnulls(outcome_match, outcome_run) = 0)`,
    `create index algorithm_trace_by_run on algorithm_trace (outcome_run)
      where outcome_run is not null`,
  ],
};
