import { type Logger, messageOf } from '../../core/index.js';
import type { KeptResults } from '../../results/index.js';

const PRUNE_MS = 3_600_000;

/** Deletes long results that expired, now and from time to time. Returns how to stop it. */
export function tendResults(results: KeptResults, log: Logger): () => void {
  const prune = () =>
    void results
      .prune()
      .catch((error: unknown) => log.error('old results not deleted', { error: messageOf(error) }));
  prune();
  const timer = setInterval(prune, PRUNE_MS);
  timer.unref();
  return () => clearInterval(timer);
}
