import type { SearchStatus } from '../../src/control/index.js';

/** A search that is ready and has seen nothing yet. */
export function searchStatus(changes: Partial<SearchStatus> = {}): SearchStatus {
  return {
    model: 'gte-small',
    space: 'gte-small/int8/1',
    state: 'ready',
    runtime: 'native',
    tools: 3,
    indexed: 3,
    waiting: 0,
    made: { texts: 3, ms: 30 },
    remembered: 0,
    ranking: { kind: 'cold', metric: {} },
    ...changes,
  };
}
