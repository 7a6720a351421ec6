/**
 * What is sent to the database for events of a run. Every write raises the epoch of its run above
 * all that this process ever tried, and only goes on top of a lower one of its own. So when nobody
 * knows what became of a write, the next takes its place, and should it come late it does nothing.
 */
import { type JsonObject, PmlError, type RunEvent, type RunId } from '../../core/index.js';
import { storable } from '../tables/storable-text.js';

/** What this process knows of a run it has. */
export interface HeldRun {
  /** Of the last write that was acknowledged; 0 before the first. */
  readonly epoch: number;
  /** The highest that may be in the database: above `epoch` while the fate of a write is unknown. */
  readonly triedEpoch: number;
  /** The rows that count, as far as they were acknowledged. */
  readonly firstSeq: number;
  readonly nextSeq: number;
  readonly finishedAt?: number;
}

/** Events of one call, as they are written down. */
export interface Append {
  readonly run: string;
  readonly lines: string;
  /** A run may begin with it. */
  readonly isBeginning: boolean;
  /** It has a checkpoint: nothing of the run that came before counts any more. */
  readonly isFresh: boolean;
  readonly startedAt: number;
  readonly finishedAt?: number;
}

/** One row of the journal, and what its run looks like with it. */
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

/** Events as of now: whoever gave them may change them while they wait. */
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

/** One row for all that was given of a run, so that nothing of a write can be left beside the next. */
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

/** JSON writes line breaks, NUL and half surrogate pairs as escapes: it is one line of any database. */
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
