import type { RunEvent, RunState } from '../core/index.js';

/** A call that was cut off this many times may be what crashes the process. */
const MOST_CUT_OFF = 5;

/**
 * What becomes of the calls that were under way when the process ended: PML repeats a call that is
 * idempotent, and waits on for a task that a server carries out. For any other, a person or an agent must say whether it happened.
 */
export function cutOffEvents({ tasks }: RunState, at: number): readonly RunEvent[] {
  const because = 'its call was under way when the process ended';
  const cutOff = tasks.flatMap((one): RunEvent[] => {
    if (one.status !== 'running') return [];
    // The server carries it out whatever becomes of us: asking again for the result repeats nothing.
    const mayRepeat = one.remote || (one.repeatable && one.attempts < MOST_CUT_OFF);
    const type = mayRepeat ? 'task-retried' : 'task-doubted';
    return [{ type, task: one.task.id, at, because }];
  });
  // A person may have signed in while no daemon ran; if not, the call waits again.
  const signIns = tasks.flatMap((one): RunEvent[] => {
    if (one.status !== 'needs_approval' || one.signIn === undefined) return [];
    const text = `the process ended while it waited for a sign-in to ${one.signIn}`;
    return [{ type: 'task-retried', task: one.task.id, at, because: text }];
  });
  if (cutOff.length === 0) return signIns;
  const note: RunEvent = { type: 'message-added', at, text: 'resumed after the process ended' };
  return [note, ...cutOff, ...signIns];
}
