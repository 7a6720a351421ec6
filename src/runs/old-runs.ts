import type { Logger, PrunePolicy, RunId, RunLog } from '../core/index.js';
import { compactState } from './compact-state.js';
import type { LiveRuns } from './live-runs.js';
import type { StoredRuns } from './stored-runs.js';

/** Finished runs whose results are kept whole; of older ones their beginnings. */
const WHOLE_RUNS = 50;
/** Shortening less than this gives nothing back. */
const SHORT_BYTES = 8_192;
/** Finished runs that are read and shortened together. */
const SHORTENED_AT_ONCE = 16;

/** Shortens and forgets old runs in the journal. */
export class OldRuns {
  readonly #log: Promise<RunLog>;
  readonly #logger: Logger;
  readonly #stored: StoredRuns;
  readonly #live: LiveRuns;
  /** Finished runs that are shortened already. */
  #shortened = new Set<RunId>();

  constructor(
    { log, logger }: { readonly log: Promise<RunLog>; readonly logger: Logger },
    stored: StoredRuns,
    live: LiveRuns,
  ) {
    this.#log = log;
    this.#logger = logger;
    this.#stored = stored;
    this.#live = live;
  }

  async maintain(policy: PrunePolicy): Promise<void> {
    const log = await this.#log;
    const forgotten = await log.prune(policy);
    if (forgotten > 0) this.#logger.info('old runs forgotten', { runs: forgotten });
    const old = (await log.list({ limit: policy.keepRuns + WHOLE_RUNS })).slice(WHOLE_RUNS);
    // Only of runs that the journal still has: the set must not outgrow the journal.
    this.#shortened = new Set(old.filter((id) => this.#shortened.has(id)));
    const whole = old.filter((id) => !this.#shortened.has(id) && !this.#live.get(id));
    for (let start = 0; start < whole.length; start += SHORTENED_AT_ONCE) {
      if (this.#live.isClosed) return;
      // Together, so that they share a write.
      await Promise.all(
        whole.slice(start, start + SHORTENED_AT_ONCE).map((id) => this.#shorten(id)),
      );
    }
  }

  async #shorten(id: RunId): Promise<void> {
    const log = await this.#log;
    if ((log.bytesOf(id) ?? Infinity) <= SHORT_BYTES) {
      this.#shortened.add(id);
      return;
    }
    const events = await this.#stored.read(id);
    const state = this.#stored.fold(id, events);
    if (!state?.finished) return;
    if (events.length > 1) {
      await log.append(id, [{ type: 'run-checkpoint', state: compactState(state) }]);
    }
    this.#shortened.add(id);
  }
}
