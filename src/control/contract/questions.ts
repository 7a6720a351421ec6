import type { RunInfo, RunTaskInfo } from './runs.js';

/** A run that waits for a decision. */
export interface WaitingQuestion {
  readonly run: RunInfo;
  readonly kind: 'needs_approval' | 'needs_decision';
  /** Since when it waits; ISO 8601. */
  readonly since: string;
  /** What is asked, in words. */
  readonly text: string;
  readonly tasks: readonly AskedTask[];
}

/** A task that does not start before a decision. Its arguments are complete. */
export interface AskedTask extends RunTaskInfo {
  /** Who may approve it: `person` means that no agent may. */
  readonly whom: 'agent' | 'person';
}
