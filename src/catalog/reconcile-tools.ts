import {
  type CatalogTool,
  hashDefinition,
  type ServerName,
  type ToolChange,
  type ToolId,
  toolId,
} from '../core/index.js';
import { diffDefinitions } from './diff-definitions.js';
import type { ParsedTool } from './parse-tools.js';

export interface ReconcileOptions {
  readonly server: ServerName;
  /** `block`: a tool we knew whose definition changed waits for an approval. */
  readonly onChange: 'warn' | 'block';
  /** The user changed the server's entry: differences are his own doing. */
  readonly isNewServer: boolean;
  readonly now: Date;
}

export interface Reconciled {
  readonly tools: readonly CatalogTool[];
  readonly changes: readonly ToolChange[];
}

/** Brings what we remember of a server together with what it lists now. Pure. */
export function reconcileTools(
  known: readonly CatalogTool[],
  listed: readonly ParsedTool[],
  options: ReconcileOptions,
): Reconciled {
  const before = new Map(known.map((tool) => [tool.id, tool]));
  const changes: ToolChange[] = [];
  const tools = listed.map((parsed) => {
    const id = toolId(options.server, parsed.definition.name);
    const old = before.get(id);
    before.delete(id);
    const tool = reconcileOne(id, parsed, old, options);
    const change = changeBetween(old, tool, options.now);
    if (change) changes.push(change);
    return tool;
  });
  for (const old of before.values()) {
    const left = leave(old);
    if (old.reason !== left.reason) {
      const diff = diffDefinitions(old.definition, undefined);
      changes.push({ tool: old.id, at: options.now, kind: 'removed', oldHash: old.hash, diff });
    }
    tools.push(left);
  }
  return { tools, changes };
}

/** A blocked tool stays blocked: else it would come back as one that nobody had to approve. */
function leave(old: CatalogTool): CatalogTool {
  const reason = 'its server no longer lists it';
  return old.status === 'blocked'
    ? { ...old, reason: `${reason}, and its last definition was not approved` }
    : { ...old, status: 'gone', reason };
}

function reconcileOne(
  id: ToolId,
  { definition, fault }: ParsedTool,
  old: CatalogTool | undefined,
  { server, onChange, isNewServer, now }: ReconcileOptions,
): CatalogTool {
  const seen = {
    id,
    server,
    definition,
    hash: hashDefinition(definition),
    firstSeen: old?.firstSeen ?? now,
    lastSeen: now,
  };
  if (fault !== undefined) return { ...seen, status: 'quarantined', reason: fault };
  const isSame = !old || old.hash === seen.hash || isNewServer;
  const staysBlocked = old?.status === 'blocked' && old.hash === seen.hash && !isNewServer;
  if (onChange === 'block' && (staysBlocked || !isSame)) {
    return {
      ...seen,
      status: 'blocked',
      reason: `its definition changed; pml tools approve ${id}`,
    };
  }
  return { ...seen, status: 'active' };
}

function changeBetween(
  old: CatalogTool | undefined,
  tool: CatalogTool,
  at: Date,
): ToolChange | undefined {
  if (old && old.hash === tool.hash) return undefined;
  const diff = old ? diffDefinitions(old.definition, tool.definition) : [];
  const kind = old ? 'changed' : 'added';
  return {
    tool: tool.id,
    at,
    kind,
    newHash: tool.hash,
    diff,
    ...(old && { oldHash: old.hash }),
  };
}
