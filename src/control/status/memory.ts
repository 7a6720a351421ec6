import type { JsonObject } from '../../core/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { Store } from '../../store/index.js';
import { asJson } from '../as-json.js';

interface RememberingDaemon {
  readonly gateway: Gateway;
  store(): Promise<{ readonly store: Store | undefined }>;
}

/** What the daemon holds in memory: bytes by owner, and how many of everything that is bounded. */
export async function showMemory(daemon: RememberingDaemon): Promise<JsonObject> {
  const { gateway } = daemon;
  const { store } = await daemon.store();
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    heapReservedBytes: heapTotal,
    externalBytes: external,
    bufferBytes: arrayBuffers,
    ...(store?.memory && { store: asJson(await store.memory()) }),
    held: {
      ...gateway.discovery.held,
      ...gateway.kept.held,
      plans: gateway.suggester.status.remembered,
      argumentRuns: gateway.planning.past.size,
      liveRuns: gateway.runs.liveCount,
      runClients: gateway.runClients.size,
    },
  };
}
