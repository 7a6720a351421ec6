import type { PmlError } from '../core/index.js';
import type { RetryDelays } from './calls/retry-delays.js';
import type { RunRecord } from './run-record.js';
import { WakeUp } from './wake-up.js';

/** Whether a run goes on in this process, and the signals that end what it has under way. */
export class RunLife {
  /** Rings when the phase of the run may have changed. */
  readonly change = new WakeUp();
  readonly #record: RunRecord;
  readonly #delays: RetryDelays;
  readonly #calls = new AbortController();
  readonly #scripts = new AbortController();
  #isStopped = false;
  #isLeft = false;
  #failure: PmlError | undefined;

  constructor(record: RunRecord, delays: RetryDelays) {
    this.#record = record;
    this.#delays = delays;
  }

  /** Aborted when the run no longer wants the results of its running calls. */
  get callSignal(): AbortSignal {
    return this.#calls.signal;
  }

  /** Aborted when scripts must not go on. */
  get scriptSignal(): AbortSignal {
    return this.#scripts.signal;
  }

  /** The run starts nothing more; running calls may end. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Another process may resume the run: this one no longer records anything of it. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Why PML could neither go on with the run nor end it. */
  get failure(): PmlError | undefined {
    return this.#failure;
  }

  /** Why the journal could not be written, or the run not ended; nothing is started after that. */
  get broken(): PmlError | undefined {
    return this.#failure ?? this.#record.journalFailure;
  }

  stop(): void {
    this.#isStopped = true;
    this.#delays.clear();
  }

  leave(): void {
    this.#isLeft = true;
  }

  fail(reason: PmlError): void {
    this.#failure = reason;
  }

  stopScripts(): void {
    this.#scripts.abort();
  }

  stopCalls(reason?: PmlError): void {
    this.#calls.abort(reason);
  }

  abort(): void {
    this.stopScripts();
    this.stopCalls();
  }

  /** From here on the run waits for its journal. Returns why it cannot. */
  requireJournal(): PmlError | undefined {
    this.#record.requireJournal();
    this.endIfBroken();
    return this.broken;
  }

  endIfBroken(): void {
    if (!this.broken) return;
    this.stopScripts();
    this.#delays.clear();
    this.#record.closeWatchers();
    this.change.ring();
  }
}
