import { PmlError, type ServerName } from '../../core/index.js';
import { sha256 } from '../../core/sha256.js';
import { listCapabilityTools } from '../../gateway/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type { DaemonStatus } from '../contract/status.js';
import type { DaemonTools, MissingTools } from '../contract/tools.js';
import type { ControlledDaemon } from '../controlled-daemon.js';
import { COMMAND_LISTING_MS } from '../search/search.js';
import { showStatus } from '../status/status.js';
import { plainTool } from './definitions.js';
import { overrideProblems } from './override-problems.js';

type ListingDaemon = Pick<ControlledDaemon, 'workflows' | 'catalog' | 'config' | 'pool' | 'mask'>;

export async function listAllTools(daemon: ListingDaemon): Promise<DaemonTools> {
  const { workflows, catalog } = daemon;
  await workflows.tools.catalogLoaded;
  const { view } = workflows.tools;
  const exposed = [...view.toolList, ...(await listCapabilityTools(workflows.tools))];
  return {
    exposed,
    instructions: view.instructions,
    exposedHash: sha256(JSON.stringify([exposed, view.instructions])),
    context: { ...daemon.config.file.context },
    hidden: catalog.hidden().map((one) => ({ ...one })),
    ...(catalog.pins.problem && { pinsProblem: catalog.pins.problem }),
    overrideProblems: overrideProblems(daemon),
    tools: catalog
      .tools()
      .map((tool) => ({ ...plainTool(tool), visible: isVisible(daemon, tool.id) })),
    missing: workflows.tools.view.unlisted.map((name) => missingOf(daemon, name)),
  };
}

/** Which servers are still to show their lists; waits a moment for them to do so. */
export async function awaitLists(
  { workflows }: Pick<ControlledDaemon, 'workflows'>,
  { waitMs = 0 }: ControlParams<'lists'>,
): Promise<ControlResult<'lists'>> {
  await workflows.tools.firstListing(Math.min(Math.max(waitMs, 1), COMMAND_LISTING_MS));
  return { awaited: [...workflows.tools.awaitedServers] };
}

export async function refresh(
  daemon: ControlledDaemon,
  { server }: ControlParams<'refresh'>,
): Promise<DaemonStatus> {
  const names = daemon.pool.names().filter((name) => server === undefined || name === server);
  if (names.length === 0) throw new PmlError('SERVER_UNKNOWN', `No server ${server ?? ''}`);
  await daemon.pool.warmUp(names);
  return showStatus(daemon);
}

/** A server hides its own secrets alone; what it could not start may hold one of another. */
function missingOf(daemon: ListingDaemon, server: ServerName): MissingTools {
  const { pool } = daemon;
  const error = pool.has(server) ? pool.get(server).status.lastError : undefined;
  const reason = error === undefined ? 'it has not shown its tools yet' : daemon.mask(error);
  return { server, reason };
}

function isVisible({ workflows }: ListingDaemon, id: string): boolean {
  return workflows.tools.view.tools.find(id)?.tool.id === id;
}
