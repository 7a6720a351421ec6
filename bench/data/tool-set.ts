import * as z from 'zod';

import {
  type CatalogTool,
  hashDefinition,
  isJsonObject,
  type JsonObject,
  type ServerName,
  serverName,
  type ToolId,
  toolId,
} from '../../src/core/index.js';
import type { Searchable } from '../../src/discovery/index.js';
import { parseRows } from './rows.js';

const ToolRow = z.object({
  id: z.string().min(1),
  name: z.string(),
  server: z.string().nullish(),
  serverDescription: z.string().nullish(),
  description: z.string().nullish(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
});

/** Tools of a data set as the catalog would have them, and the ids they have there. */
export interface ToolSet extends Searchable {
  readonly idOf: ReadonlyMap<string, ToolId>;
  readonly nameOf: ReadonlyMap<ToolId, string>;
}

export function readToolSet(path: string): ToolSet {
  const tools = new Map<ToolId, CatalogTool>();
  const servers = new Map<ServerName, string>();
  const idOf = new Map<string, ToolId>();
  const nameOf = new Map<ToolId, string>();
  for (const row of parseRows(path, ToolRow)) {
    const server = serverOf(row.server ?? 'tools');
    const id = toolId(server, row.id);
    const definition = {
      name: row.name || row.id,
      ...(row.description && { description: row.description }),
      inputSchema: asSchema(row.input),
      ...(isJsonObject(row.output) && { outputSchema: row.output }),
    };
    const seen = new Date(0);
    const hash = hashDefinition(definition);
    const common = { status: 'active' as const, firstSeen: seen, lastSeen: seen };
    tools.set(id, { id, server, definition, hash, ...common });
    idOf.set(row.id, id);
    nameOf.set(id, row.id);
    if (row.serverDescription) {
      const title = (row.server ?? '').replaceAll(/[-_.]+/g, ' ');
      servers.set(server, `${title}: ${row.serverDescription}`.slice(0, 400));
    }
  }
  return { tools, servers, idOf, nameOf };
}

function asSchema(input: unknown): JsonObject {
  return isJsonObject(input) ? input : { type: 'object' };
}

/** Names of data sets are freer than ours may be. */
function serverOf(name: string): ServerName {
  const plain = name
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/__+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60);
  return serverName(plain && plain !== 'pml' ? plain : `tools-${plain}`);
}
