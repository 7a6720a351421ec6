import type { TaskState } from '../core/index.js';

/** Whether a task came to an end, good or bad. Only a decision may change it after that. */
export function hasEnded({ status }: Pick<TaskState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}
