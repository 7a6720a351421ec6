import { takeLoopPauses } from '../../process/index.js';
import type { Store } from '../../store/index.js';
import type { Workflows } from '../../workflows/index.js';
import type { ControlParams } from '../contract.js';
import type { DaemonMemory } from '../contract/status.js';

interface RememberingDaemon {
  readonly workflows: Workflows;
  readonly speculation: { readonly ledger: { readonly size: number } };
  store(): Promise<{ readonly store: Store | undefined }>;
}

export async function showMemory(
  daemon: RememberingDaemon,
  { pauses = false }: ControlParams<'memory'>,
): Promise<DaemonMemory> {
  const { workflows } = daemon;
  const { store } = await daemon.store();
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    heapReservedBytes: heapTotal,
    externalBytes: external,
    bufferBytes: arrayBuffers,
    ...(pauses && { pauses: takeLoopPauses() }),
    ...(store?.memory && { store: await store.memory() }),
    held: {
      ...workflows.tools.discovery.held,
      ...workflows.results.held,
      plans: workflows.suggester.status.remembered,
      argumentRuns: workflows.planning.past.size,
      episodes: daemon.speculation.ledger.size,
      liveRuns: workflows.runs.liveCount,
      runClients: workflows.clients.size,
      ...workflows.foresight?.held,
    },
  };
}
