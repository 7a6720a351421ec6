import {
  type CatalogTool,
  type ServerName,
  type ServerPins,
  type ToolChange,
  type ToolDefinition,
  type ToolId,
  toolId,
  type ToolPin,
} from '../core/index.js';
import { diffDefinitions } from './diff-definitions.js';
import { judgePin, nextPin, type PinPolicy, reasonOf } from './judge-pin.js';
import type { ParsedTool } from './parse-tools.js';

export interface ReconcileOptions extends PinPolicy {
  readonly server: ServerName;
  readonly configHash: string;
  /** Undefined for a new entry: its first list is approved as it is. */
  readonly pins: ServerPins | undefined;
  readonly now: Date;
}

export interface Reconciled {
  readonly tools: readonly CatalogTool[];
  readonly changes: readonly ToolChange[];
  readonly pins: ServerPins;
}

/** Merges the known tools of a server with its current list. Pure. */
export function reconcileTools(
  known: readonly CatalogTool[],
  listed: readonly ParsedTool[],
  options: ReconcileOptions,
): Reconciled {
  const { server, configHash, now } = options;
  // If the user changed the entry of the server, the user caused the differences.
  const pinned = options.pins?.configHash === configHash ? options.pins.tools : undefined;
  const pins = new Map<string, ToolPin>(pinned);
  const before = new Map(known.map((tool) => [tool.id, tool]));
  const changes: ToolChange[] = [];
  const tools = listed.map((parsed) => {
    const { name } = parsed.definition;
    const id = toolId(server, name);
    const old = before.get(id);
    before.delete(id);
    const pin = pinned?.get(name);
    const { tool, next } = reconcileOne(parsed, { id, old, pin, isPinned: !!pinned }, options);
    if (next) pins.set(name, next);
    const change = changeBetween(old, pin, { tool, listed: parsed.listed, at: now });
    if (change) changes.push(change);
    return tool;
  });
  for (const old of before.values()) {
    const left = leave(old);
    if (old.reason !== left.reason) {
      const diff = diffDefinitions(old.definition, undefined);
      changes.push({ tool: old.id, at: now, kind: 'removed', oldHash: old.hash, diff });
    }
    tools.push(left);
  }
  return { tools, changes, pins: { configHash, tools: pins } };
}

/** A blocked tool stays blocked: else it could return as a new tool without an approval. */
function leave(old: CatalogTool): CatalogTool {
  const reason = 'its server no longer lists it';
  return old.status === 'blocked'
    ? { ...old, reason: `${reason}, and its last definition was not approved` }
    : { ...old, status: 'gone', reason };
}

interface Remembered {
  readonly id: ToolId;
  readonly old: CatalogTool | undefined;
  readonly pin: ToolPin | undefined;
  readonly isPinned: boolean;
}

function reconcileOne(
  { definition, hash, fault }: ParsedTool,
  { id, old, pin, isPinned }: Remembered,
  { server, onChange, newTools, now }: ReconcileOptions,
): { readonly tool: CatalogTool; readonly next: ToolPin | undefined } {
  const seen = {
    id,
    server,
    definition,
    hash,
    firstSeen: old?.firstSeen ?? now,
    lastSeen: now,
  };
  if (fault !== undefined) {
    return { tool: { ...seen, status: 'quarantined', reason: fault }, next: undefined };
  }
  const verdict = judgePin(pin, seen.hash, { onChange, newTools, isPinned });
  const reason = reasonOf(verdict, id);
  return {
    tool:
      reason === undefined ? { ...seen, status: 'active' } : { ...seen, status: 'blocked', reason },
    next: nextPin(pin, seen.hash, verdict),
  };
}

interface Listed {
  readonly tool: CatalogTool;
  readonly listed: ToolDefinition;
  readonly at: Date;
}

/** Without a store, only the hash of the previous definition is known. */
function changeBetween(
  old: CatalogTool | undefined,
  pin: ToolPin | undefined,
  { tool, listed, at }: Listed,
): ToolChange | undefined {
  const oldHash = old?.hash ?? pin?.seen;
  if (oldHash === tool.hash) return undefined;
  const isKnown = oldHash !== undefined;
  return {
    tool: tool.id,
    at,
    kind: isKnown ? 'changed' : 'added',
    newHash: tool.hash,
    diff: isKnown ? diffDefinitions(old?.definition, listed) : [],
    ...(isKnown && { oldHash }),
  };
}
