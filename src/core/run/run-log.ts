import type { RunId } from '../ids.js';
import type { RunEvent } from './run-event.js';

export interface PrunePolicy {
  /** Of finished runs, the newest so many stay. */
  readonly keepRuns: number;
  /** Finished runs that ended before this go, whatever their number. Milliseconds since 1970. */
  readonly endedBefore: number;
}

/** Part of what was written of a run is gone: it cannot be gone on with. */
export interface RunDamage {
  /** File and offset, or what else tells where. */
  readonly place: string;
  readonly startedAt: number;
}

/** Events that are added to one run. */
export interface RunAppend {
  readonly run: RunId;
  readonly events: readonly RunEvent[];
}

/**
 * The journal of all runs: the truth about those that are not finished. What was acknowledged
 * survives the end of the process and of the machine. Rejects with a `PmlError`
 * (`JOURNAL_FAILED`), and has then added nothing that `read` would give back.
 */
export interface RunLog extends AsyncDisposable {
  /**
   * Adds events of one run, all or none, after those added before; resolves when they are on disk.
   * Calls made while another one is being written share the next write. A `run-checkpoint` takes
   * the place of everything of its run that came before. `task-progress` is refused.
   */
  append(run: RunId, events: readonly RunEvent[]): Promise<void>;
  /**
   * Hands events of some runs to the operating system, in one write, and returns: they survive the end
   * of this process, and are on disk within a second; only a power cut before that loses them. Returns
   * false, and adds nothing, where that cannot be done at once; `append` can.
   */
  handOver(appends: readonly RunAppend[]): boolean;
  /** How many bytes the journal holds of a run, where that is known without reading. */
  bytesOf(run: RunId): number | undefined;
  /** The events of a run from its start or last checkpoint, oldest first; none if it is unknown. */
  read(run: RunId): Promise<readonly RunEvent[]>;
  /** Runs that were begun, newest first. */
  list(options: { limit: number }): Promise<readonly RunId[]>;
  /**
   * Makes this process continue every unfinished run that no other living process
   * has, and names them, oldest first. A process whose run was claimed by another cannot add to it.
   */
  claim(): Promise<readonly RunId[]>;
  /** Of a run that `list` names and `claim` leaves out, because part of it is gone. */
  damageOf(run: RunId): RunDamage | undefined;
  /** What was missing or broken when the journal was opened, in words. */
  problems(): readonly string[];
  /** Forgets finished runs; says how many. Space is given back. */
  prune(policy: PrunePolicy): Promise<number>;
}
