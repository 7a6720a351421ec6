import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type CatalogTool, serverName, type ToolDefinition, toolId } from '../../src/core/index.js';

/** The tools of some sixty published servers, beside the project where the list is at hand. */
const FILE = fileURLToPath(new URL('../../../shared/fleet/tools.json', import.meta.url));

interface Fleet {
  readonly servers: Readonly<Record<string, { readonly tools: readonly ToolDefinition[] }>>;
}

export const hasFleet = existsSync(FILE);

/** None where the list is missing. */
export function readFleet(): readonly CatalogTool[] {
  if (!hasFleet) return [];
  const { servers } = JSON.parse(readFileSync(FILE, 'utf8')) as Fleet;
  return Object.entries(servers).flatMap(([name, { tools }]) =>
    tools.map((definition) => ({
      id: toolId(serverName(name), definition.name),
      server: serverName(name),
      definition,
      hash: '',
      status: 'active' as const,
      firstSeen: new Date(0),
      lastSeen: new Date(0),
    })),
  );
}
