import type { Selectable } from 'kysely';

import type {
  CatalogServer,
  CatalogTool,
  ProtocolEra,
  ServerListing,
  ServerName,
  ToolChange,
  ToolDefinition,
  ToolId,
} from '../../core/index.js';
import type { Tables } from '../schema.js';
import { storable } from './storable-text.js';

type ToolRow = Omit<Selectable<Tables['tool']>, 'position'>;
type ChangeRow = Omit<Selectable<Tables['tool_change']>, 'id'>;

/** A server may list a name twice; the last one counts, as it does for callers. */
export function withUniqueIds(tools: readonly CatalogTool[]): readonly CatalogTool[] {
  return [...new Map(tools.map((tool) => [storable(tool.id), tool])).values()];
}

export function serverRow(server: CatalogServer): Tables['server'] {
  return {
    name: server.name,
    config_hash: server.configHash,
    listing: JSON.stringify(server.listing),
    eras: JSON.stringify(server.eras),
    probed_at: server.probedAt,
    first_seen: server.firstSeen,
    last_seen: server.lastSeen,
  };
}

/** Dates are passed as ISO text: inside arrays the two drivers write them differently. */
export function toolColumns(tools: readonly CatalogTool[], firstPosition: number) {
  return {
    id: tools.map((tool) => storable(tool.id)),
    server: tools.map((tool) => tool.server),
    position: tools.map((_, index) => firstPosition + index),
    definition: tools.map((tool) => JSON.stringify(tool.definition)),
    hash: tools.map((tool) => tool.hash),
    status: tools.map((tool) => tool.status),
    reason: tools.map((tool) => (tool.reason === undefined ? null : storable(tool.reason))),
    firstSeen: tools.map((tool) => tool.firstSeen.toISOString()),
    lastSeen: tools.map((tool) => tool.lastSeen.toISOString()),
  };
}

export function changeColumns(changes: readonly ToolChange[]) {
  return {
    tool: changes.map((change) => storable(change.tool)),
    at: changes.map((change) => change.at.toISOString()),
    kind: changes.map((change) => change.kind),
    oldHash: changes.map((change) => change.oldHash ?? null),
    newHash: changes.map((change) => change.newHash ?? null),
    diff: changes.map((change) => JSON.stringify(change.diff)),
  };
}

export function toServer(row: Selectable<Tables['server']>): CatalogServer {
  return {
    name: row.name as ServerName,
    configHash: row.config_hash,
    listing: JSON.parse(row.listing) as ServerListing,
    eras: JSON.parse(row.eras) as ProtocolEra[],
    probedAt: row.probed_at,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  };
}

export function toTool(row: ToolRow): CatalogTool {
  return {
    id: row.id as ToolId,
    server: row.server as ServerName,
    definition: JSON.parse(row.definition) as ToolDefinition,
    hash: row.hash,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  };
}

export function toChange(row: ChangeRow): ToolChange {
  return {
    tool: row.tool as ToolId,
    at: row.at,
    kind: row.kind,
    ...(row.old_hash === null ? {} : { oldHash: row.old_hash }),
    ...(row.new_hash === null ? {} : { newHash: row.new_hash }),
    diff: JSON.parse(row.diff) as string[],
  };
}
