/**
 * What PML sends to the database for events of a run. Every write raises the epoch of its run above
 * all that this process ever tried, and applies only on top of a lower epoch of this process. So if
 * the outcome of a write is unknown, the next one replaces it, and a late arrival has no effect.
 */
import { type JsonObject, PmlError, type RunEvent, type RunId } from '../../core/index.js';
import { storable } from '../tables/storable-text.js';

/** What this process knows of a run it holds. */
export interface HeldRun {
  /** The epoch of the last acknowledged write; 0 before the first. */
  readonly epoch: number;
  /** The highest epoch that may be stored: above `epoch` while a write has no known outcome. */
  readonly triedEpoch: number;
  /** The valid rows, according to acknowledged writes. */
  readonly firstSeq: number;
  readonly nextSeq: number;
  readonly finishedAt?: number;
}

/** The events of one append, serialised. */
export interface Append {
  readonly run: string;
  readonly lines: string;
  /** Whether a run may begin with it. */
  readonly isBeginning: boolean;
  /** It has a checkpoint: earlier events of the run no longer count. */
  readonly isFresh: boolean;
  readonly startedAt: number;
  readonly finishedAt?: number;
}

/** One row of the journal, and the state of its run after it. */
export interface RunWrite {
  readonly run: string;
  readonly isNew: boolean;
  readonly epoch: number;
  readonly firstSeq: number;
  readonly seq: number;
  readonly events: string;
  readonly startedAt: number;
  readonly finishedAt?: number;
}

export const NEW_RUN: HeldRun = { epoch: 0, triedEpoch: 0, firstSeq: 0, nextSeq: 0 };

type KeptEvent = Exclude<RunEvent, { readonly type: 'task-progress' }>;

/** Serialises events immediately: the caller may change them while they wait. */
export function toAppend(run: RunId, events: readonly RunEvent[]): Append {
  const kept = events.map((event) => keptEvent(run, event));
  const counted = kept.slice(Math.max(kept.findLastIndex(isCheckpoint), 0));
  const finishedAt = counted.map(endOf).findLast((end) => end !== undefined);
  return {
    run: storable(run),
    lines: counted.map((event) => asLine(run, event)).join('\n'),
    isBeginning: /^run-(started|checkpoint)$/.test(counted[0]!.type),
    isFresh: counted.some(isCheckpoint),
    startedAt: startOf(counted[0]!),
    ...(finishedAt !== undefined && { finishedAt }),
  };
}

/** One row for all appends of a run, so that no part of a write can remain beside the next. */
export function toWrite(held: HeldRun, appends: readonly Append[]): RunWrite {
  const fresh = appends.findLastIndex(({ isFresh }) => isFresh);
  const counted = appends.slice(Math.max(fresh, 0));
  const ends = counted.map((append) => append.finishedAt);
  const finishedAt = ends.findLast((end) => end !== undefined) ?? held.finishedAt;
  return {
    run: counted[0]!.run,
    isNew: held.epoch === 0,
    epoch: held.triedEpoch + 1,
    firstSeq: fresh < 0 ? held.firstSeq : held.nextSeq,
    seq: held.nextSeq,
    events: counted.map(({ lines }) => lines).join('\n'),
    startedAt: counted[0]!.startedAt,
    ...(finishedAt !== undefined && { finishedAt }),
  };
}

/** The run once the write is acknowledged. */
export function heldAfter({ epoch, firstSeq, seq, finishedAt }: RunWrite): HeldRun {
  return {
    epoch,
    triedEpoch: epoch,
    firstSeq,
    nextSeq: seq + 1,
    ...(finishedAt !== undefined && { finishedAt }),
  };
}

export function toEvents(rows: readonly string[]): readonly RunEvent[] {
  return rows.flatMap((row) => row.split('\n').map((line) => JSON.parse(line) as RunEvent));
}

function keptEvent(run: RunId, event: RunEvent): KeptEvent {
  if (event.type !== 'task-progress') return event;
  throw notWritable(run, 'Progress is for those who watch and is never written down');
}

const isCheckpoint = ({ type }: KeptEvent) => type === 'run-checkpoint';

function startOf(event: KeptEvent): number {
  return event.type === 'run-checkpoint' ? event.state.startedAt : event.at;
}

function endOf(event: KeptEvent): number | undefined {
  if (event.type === 'run-checkpoint') return event.state.finished?.at;
  return event.type === 'run-finished' ? event.at : undefined;
}

/** JSON escapes line breaks, NUL and half surrogate pairs: it is one line in any database. */
function asLine(run: RunId, event: KeptEvent): string {
  try {
    return JSON.stringify(event);
  } catch (error) {
    throw notWritable(run, `An event (${event.type}) cannot be written as JSON`, error);
  }
}

function notWritable(run: RunId, what: string, cause?: unknown): PmlError {
  const details: JsonObject = { run };
  return new PmlError('JOURNAL_FAILED', `${what}. Nothing was added to run ${run}.`, {
    cause,
    details,
  });
}
