import type { Capabilities } from '../capabilities/index.js';
import {
  asText,
  isCapability,
  isExchange,
  type Logger,
  maySpeculate,
  parseToolId,
  type ServerName,
  type ToolId,
} from '../core/index.js';
import type { Sessions } from '../gateway/index.js';
import type { Caller, ServerPool } from '../servers/index.js';
import { UsedServers, WarmServers } from '../speculation/index.js';
import type { ToolDirectory } from '../tools/index.js';
import { usedServersFile } from './open/data-files.js';

/** Servers that are started ahead of calls, and the memory of what each client used last. */
export interface EngineWarming {
  readonly servers: WarmServers;
  readonly used: UsedServers;
  /** A client calls a tool of the server. */
  called(server: ServerName, caller: Caller): void;
}

interface WarmingParts {
  readonly pool: ServerPool;
  readonly capabilities: Capabilities;
  readonly tools: () => ToolDirectory;
  readonly sessions: () => Sessions;
  readonly dataDir: string;
  readonly log: Logger;
}

export function createWarming(parts: WarmingParts): EngineWarming {
  const { pool, capabilities, tools, sessions, dataDir, log } = parts;
  const used = new UsedServers(usedServersFile(dataDir), log);
  const settings = () => tools().settings.speculation;
  const servers = new WarmServers({
    settings,
    denied: () => tools().settings.permissions.deny,
    servers: () => pool.all(),
    serversOf: (tool) => serversOf(capabilities, tool),
    usedBy: (caller) => used.of(clientName(caller)),
    hasSession: (session) => [...sessions().all].some(({ id }) => id === session),
    release: (session) => pool.release(session),
    now: () => performance.now(),
    log,
  });
  return {
    servers,
    used,
    called(server, caller) {
      const isKnown = maySpeculate(settings(), 'warm') && !isExchange(caller.principal);
      if (isKnown) used.note(clientName(caller), server);
    },
  };
}

function serversOf(capabilities: Capabilities, tool: ToolId): readonly ServerName[] {
  const { server, tool: name } = parseToolId(tool);
  if (!isCapability(tool)) return [server];
  if (!capabilities.get(name)) return [];
  return [...new Set(capabilities.toolsOf(name).map((one) => parseToolId(one).server))];
}

function clientName({ info }: Caller): string {
  return asText(info['name']) || 'unknown';
}
