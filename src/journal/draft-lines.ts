import type { RunEvent, RunId } from '../core/index.js';
import type { Pending } from './group-commit.js';
import { encodeBody, encodeRecord, type RecordHead, type RecordKind } from './record.js';
import type { Standing } from './run-index.js';

/** One append that waits. Its events are text already: they are as they were when it was made. */
export interface PendingRecord extends Pending {
  readonly kind: RecordKind;
  readonly body: Buffer;
  /** What its events say of the times of their run. */
  readonly startedAt?: number;
  readonly endedAt?: number | undefined;
}

export interface DraftedLine {
  readonly head: RecordHead;
  readonly parts: readonly [Buffer, Buffer];
}

export function pendingEvents(run: RunId, events: readonly RunEvent[]): PendingRecord {
  const body = encodeBody(events);
  const isFold = events.some(({ type }) => type === 'run-checkpoint');
  return { run, kind: isFold ? 'fold' : 'events', body, bytes: body.length, ...timesOf(events) };
}

export function pendingForgotten(run: RunId): PendingRecord {
  const body = encodeBody([]);
  return { run, kind: 'forgotten', body, bytes: body.length };
}

export interface DraftOptions {
  readonly now: () => number;
  /** False if the disk may lack lines before the first one: all of them are one write then. */
  readonly startsWrite: boolean;
}

/**
 * The lines of one write. Numbers are given here and not when an append is made, so that a failed
 * one leaves no gap.
 */
export function draftLines(
  group: readonly PendingRecord[],
  standingOf: (run: RunId) => Standing,
  { now, startsWrite }: DraftOptions,
): readonly DraftedLine[] {
  const standings = new Map<RunId, Standing>();
  return group.map((pending, place) => {
    const standing = standings.get(pending.run) ?? standingOf(pending.run);
    const head = headOf(pending, standing, now, startsWrite && place === 0);
    standings.set(pending.run, standingAfter(head, standing));
    return { head, parts: encodeRecord(head, pending.body) };
  });
}

function headOf(
  { run, kind, startedAt, endedAt }: PendingRecord,
  standing: Standing,
  now: () => number,
  startsWrite: boolean,
): RecordHead {
  return {
    run,
    kind,
    startsWrite,
    // The gap in a damaged run is kept open, so that it is seen again whatever is added.
    seq: standing.seq + (standing.isDamaged ? 2 : 1),
    startedAt: standing.startedAt ?? startedAt ?? now(),
    endedAt: endedAt ?? (kind === 'fold' ? undefined : standing.endedAt),
  };
}

function standingAfter({ kind, seq, startedAt, endedAt }: RecordHead, before: Standing): Standing {
  if (kind === 'forgotten') return { seq: 0, isDamaged: false };
  return { seq, startedAt, endedAt, isDamaged: before.isDamaged && kind !== 'fold' };
}

function timesOf(events: readonly RunEvent[]): Pick<PendingRecord, 'startedAt' | 'endedAt'> {
  const times: { startedAt?: number; endedAt?: number | undefined } = {};
  for (const event of events) {
    if (event.type === 'run-started') times.startedAt = event.at;
    else if (event.type === 'run-finished') times.endedAt = event.at;
    else if (event.type === 'run-checkpoint') {
      times.startedAt = event.state.startedAt;
      times.endedAt = event.state.finished?.at;
    }
  }
  return times;
}
