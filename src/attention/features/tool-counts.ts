import type { ErrorType, ExecutionTrace, PastCall } from '../../core/index.js';
import { ERROR_TYPES } from './feature-names.js';

/** What was counted of one tool. */
export class ToolCounts {
  calls = 0;
  worked = 0;
  runs = 0;
  /** Runs in which its last call worked. */
  delivered = 0;
  /** Calls right after a call of another tool had failed, and those of them that worked. */
  recoveries = 0;
  recovered = 0;
  readonly failed = new Float64Array(ERROR_TYPES.length);
  timed = 0;
  /** The sum of logarithms of milliseconds. */
  logMs = 0;
  placed = 0;
  /** The sum of places in a run, from 0 to 1. */
  places = 0;
  /** Milliseconds since 1970. */
  lastAt = 0;
  /** Calls after it in runs that succeeded: how many such runs, the sum, and the sum of squares. */
  ended = 0;
  left = 0;
  leftSquared = 0;
  /** What its newest failure said. */
  lastError: string | undefined;

  countCall(call: PastCall, { at, afterFailure }: { at: number; afterFailure: boolean }): void {
    this.calls += 1;
    if (call.ok) this.worked += 1;
    else this.#countFailure(call, at);
    if (afterFailure) this.recoveries += 1;
    if (afterFailure && call.ok) this.recovered += 1;
    if (call.ms !== undefined) this.timed += 1;
    if (call.ms !== undefined) this.logMs += Math.log1p(Math.max(0, call.ms));
    this.lastAt = Math.max(this.lastAt, at);
  }

  /** Once a run: where it was called last, of so many calls, and whether that worked. */
  countRun(
    place: number,
    { calls, delivered, ok }: { calls: number; delivered: boolean; ok: boolean },
  ): void {
    this.runs += 1;
    if (delivered) this.delivered += 1;
    if (calls > 1) {
      this.placed += 1;
      this.places += place / (calls - 1);
    }
    if (!ok) return;
    const left = calls - 1 - place;
    this.ended += 1;
    this.left += left;
    this.leftSquared += left * left;
  }

  /** The kind of failure that is the most frequent, if there was one. */
  get usualFailure(): ErrorType | undefined {
    const most = Math.max(...this.failed);
    return most > 0 ? ERROR_TYPES[this.failed.indexOf(most)] : undefined;
  }

  #countFailure({ errorType = 'unknown', errorMessage }: PastCall, at: number): void {
    const place = ERROR_TYPES.indexOf(errorType);
    this.failed[place]! += 1;
    if (errorMessage !== undefined && at >= this.lastAt) this.lastError = errorMessage;
  }
}

/** The calls that the run itself made: those inside a capability belong to the capability. */
export function ownCalls({ calls }: Pick<ExecutionTrace, 'calls'>): readonly PastCall[] {
  return calls.filter(({ tool, parent }) => parent === undefined && !tool.startsWith('code:'));
}
