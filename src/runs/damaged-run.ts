import {
  type Decider,
  messageOf,
  PmlError,
  type RunCommand,
  type RunDamage,
  type RunEvent,
  type RunId,
  type RunState,
} from '../core/index.js';
import { foldEvents } from '../executor/index.js';

export interface DamagedView {
  readonly state: RunState;
  readonly phase: 'damaged';
  readonly broken: PmlError;
}

/** A run with lost events: what is left of it, why it does not resume, and what to do. */
export function damagedView(
  run: RunId,
  events: readonly RunEvent[],
  { place, startedAt }: RunDamage,
): DamagedView {
  const message = `Part of the journal of run ${run} is lost (${place}), so PML does not go on with it: calls it made may be missing here. Check what they did, then end it: pml continue ${run} abort`;
  const broken = new PmlError('JOURNAL_FAILED', message, { details: { run, place } });
  return { state: stateOf(run, events, startedAt), phase: 'damaged', broken };
}

/** The same for a run that could not be read. */
export function unreadableView(run: RunId, error: unknown): DamagedView {
  return damagedView(run, [], { place: messageOf(error), startedAt: 0 });
}

/** The events that replace the rest of such a run when a user or an agent ends it. */
export function givenUp(
  { state }: DamagedView,
  { by, at, command }: { readonly by: Decider; readonly at: number; readonly command: RunCommand },
): RunEvent {
  const text = 'ended by hand, because part of its journal was lost';
  const because = (command.kind === 'abort' && command.because) || text;
  return {
    type: 'run-checkpoint',
    state: {
      ...state,
      decisions: [...state.decisions, { at, by, command }],
      messages: [...state.messages, { at, text }],
      aborted: { because },
      finished: { at, outcome: 'aborted' },
    },
  };
}

function stateOf(run: RunId, events: readonly RunEvent[], startedAt: number): RunState {
  const none: RunState = {
    run,
    startedAt,
    approve: 'risky',
    tasks: [],
    decisions: [],
    messages: [],
    context: {},
  };
  if (events.length === 0) return none;
  try {
    return foldEvents(events);
  } catch {
    return none; // The beginning is lost, so nothing is known about the rest.
  }
}
