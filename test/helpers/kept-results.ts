import { silentLogger } from '../../src/core/index.js';
import { KeptResults, type KeptResultsOptions } from '../../src/results/kept-results.js';

/** Kept results without a store, with room for everything. */
export function keptResults(options: Partial<KeptResultsOptions> = {}): KeptResults {
  return new KeptResults({
    memoryBytes: 1e8,
    limits: () => ({ resultTtlMs: 3_600_000, storedResultBytes: 1e8 }),
    opened: Promise.resolve(),
    now: () => Date.now(),
    log: silentLogger,
    ...options,
  });
}
