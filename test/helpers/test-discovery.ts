import { silentLogger } from '../../src/core/index.js';
import { Discovery } from '../../src/discovery/index.js';

/** Without a store and a model: words only, in memory. */
export function createTestDiscovery(): Discovery {
  let ids = 0;
  return new Discovery({ log: silentLogger, now: () => new Date(0), newId: () => `id-${ids++}` });
}
