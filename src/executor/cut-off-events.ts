import type { RunEvent, RunState } from '../core/index.js';

/** A call that was cut off this many times may be what crashes the process. */
const MOST_CUT_OFF = 5;

/**
 * What becomes of the calls that were under way when the process ended: PML repeats a call that is
 * idempotent. For any other, a person or an agent must say whether it happened.
 */
export function cutOffEvents({ tasks }: RunState, at: number): readonly RunEvent[] {
  const because = 'its call was under way when the process ended';
  const cutOff = tasks.flatMap((one): RunEvent[] => {
    if (one.status !== 'running') return [];
    const mayRepeat = one.repeatable && one.attempts < MOST_CUT_OFF;
    const type = mayRepeat ? 'task-retried' : 'task-doubted';
    return [{ type, task: one.task.id, at, because }];
  });
  if (cutOff.length === 0) return [];
  return [{ type: 'message-added', at, text: 'resumed after the process ended' }, ...cutOff];
}
