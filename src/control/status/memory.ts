import type { Gateway } from '../../gateway/index.js';
import type { Store } from '../../store/index.js';
import type { DaemonMemory } from '../contract/status.js';

interface RememberingDaemon {
  readonly gateway: Gateway;
  store(): Promise<{ readonly store: Store | undefined }>;
}

export async function showMemory(daemon: RememberingDaemon): Promise<DaemonMemory> {
  const { gateway } = daemon;
  const { store } = await daemon.store();
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    heapReservedBytes: heapTotal,
    externalBytes: external,
    bufferBytes: arrayBuffers,
    ...(store?.memory && { store: await store.memory() }),
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
