import {
  PmlError,
  type RunDamage,
  type RunEvent,
  type RunId,
  type RunState,
} from '../core/index.js';
import type { LiveRun, RunPhase } from '../executor/index.js';
import { type DamagedView, damagedView, unreadableView } from './damaged-run.js';
import { foldReadable } from './fold-readable.js';

/** A run as it is now, whether this process works on it or it has come to its end. */
export interface RunView {
  readonly state: RunState;
  readonly phase: RunPhase;
  readonly live?: LiveRun;
  /** Why it could not go on. */
  readonly broken?: PmlError;
}

export function isDamaged(view: RunView): view is DamagedView {
  return view.phase === 'damaged';
}

export function viewOf(live: LiveRun): RunView {
  const { state, phase, broken } = live;
  return { state, phase, live, ...(broken && { broken }) };
}

export interface RecordedRun {
  readonly events: readonly RunEvent[];
  readonly damage: RunDamage | undefined;
  /** Why this process could not go on with it. */
  readonly broken: PmlError | undefined;
}

/** A run that this process does not work on, from its journal. Throws for a run that has none. */
export function storedView(run: RunId, { events, damage, broken }: RecordedRun): RunView {
  if (damage) return damagedView(run, events, damage);
  if (events.length === 0) throw unknownRun(run);
  const { state, fault } = foldReadable(events);
  if (fault) return { ...unreadableView(run, fault), state };
  if (state.finished || !broken) return { state, phase: state.finished ? 'finished' : 'stopped' };
  return { state, phase: 'broken', broken };
}

/** Names no other run: an id is what gives access to a run, and these may be of other principals. */
export function unknownRun(run: RunId): PmlError {
  const text = `No run ${run}: it was forgotten, or never began. pml_continue without "run" lists your unfinished runs; the user can list all with pml runs`;
  return new PmlError('RUN_UNKNOWN', text, { details: { run } });
}
