import {
  type ErrorType,
  type Logger,
  messageOf,
  pause,
  type RunDamage,
  type RunEvent,
  type Principal,
  type RunId,
  type RunLog,
  type RunState,
  type TaskError,
} from '../core/index.js';
import {
  foldEvents,
  type LiveRun,
  type RunTrace,
  traceLongRun,
  traceRun,
} from '../executor/index.js';
import { mendEvents, withoutSecrets } from './mend-events.js';

/** To trace a shorter run takes a few milliseconds. */
const LONG_RUN_EVENTS = 100;

export interface StoredRunsOptions {
  /** Opened beside everything else; what needs it waits for it. */
  readonly log: Promise<RunLog>;
  readonly errorType: (error: TaskError) => ErrorType;
  /** Hides secrets in what is remembered. Without it no arguments are. */
  readonly mask?: (text: string) => string;
  readonly logger: Logger;
}

export interface Recovered {
  readonly trace: RunTrace;
  readonly startedAt: number;
  /** Missing for the user. */
  readonly owner?: Principal;
}

/**
 * Reads runs from the journal. A run that cannot be read is logged and left out, so that the others
 * do not suffer.
 */
export class StoredRuns {
  readonly #options: StoredRunsOptions;

  constructor(options: StoredRunsOptions) {
    this.#options = options;
  }

  async read(id: RunId): Promise<readonly RunEvent[]> {
    const { log, mask } = this.#options;
    const events = mendEvents(await (await log).read(id));
    return mask ? events.map((event) => withoutSecrets(event, mask)) : events;
  }

  async damageOf(id: RunId): Promise<RunDamage | undefined> {
    return (await this.#options.log).damageOf(id);
  }

  fold(id: RunId, events: readonly RunEvent[]): RunState | undefined {
    try {
      return foldEvents(events);
    } catch (error) {
      return this.logUnreadable(id, error);
    }
  }

  /** Nothing for a run that nothing can be learned from. */
  trace(id: RunId, events: readonly RunEvent[]): RunTrace | undefined {
    try {
      return this.#trace(events);
    } catch (error) {
      return this.#logUntraced(id, error);
    }
  }

  /** The same for a run that just ended, in turns if it is long. */
  async traceInTurns(live: Pick<LiveRun, 'events' | 'state'>): Promise<RunTrace | undefined> {
    const { events, state } = live;
    if (events.length < LONG_RUN_EVENTS) return this.trace(state.run, events);
    try {
      const { errorType, mask } = this.#options;
      return await traceLongRun({ events, state }, { errorType, mask, pause });
    } catch (error) {
      return this.#logUntraced(state.run, error);
    }
  }

  #logUntraced(run: RunId, error: unknown): undefined {
    this.#options.logger.error('run not remembered', { run, error: messageOf(error) });
    return undefined;
  }

  /** Nothing for a run that is still open, or was shortened: that was remembered long ago. */
  async recover(id: RunId): Promise<Recovered | undefined> {
    try {
      const events = await this.read(id);
      const state = foldEvents(events);
      if (!state.finished || events[0]?.type === 'run-checkpoint') return undefined;
      const { startedAt, owner } = state;
      return { trace: this.#trace(events), startedAt, ...(owner && { owner }) };
    } catch (error) {
      return this.logUnreadable(id, error);
    }
  }

  logUnreadable(run: RunId, error: unknown): undefined {
    this.#options.logger.error('run not readable', { run, error: messageOf(error) });
    return undefined;
  }

  #trace(events: readonly RunEvent[]): RunTrace {
    const { errorType, mask } = this.#options;
    return traceRun(events, errorType, mask);
  }
}
