import { createHash } from 'node:crypto';

import type { ServerName, ToolId } from './ids.js';
import { canonicalJson, type JsonObject } from './json.js';

/** Untrusted hints of a server about its own tool. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool exactly as its server lists it. Unknown fields are kept: we pass on what we do not understand. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly [extra: string]: unknown;
}

/**
 * `active`: callable. `quarantined`: its definition is broken. `blocked`: its definition changed and
 * policy wants an approval first. `gone`: the server no longer lists it.
 */
export type ToolStatus = 'active' | 'quarantined' | 'blocked' | 'gone';

/** A tool as the catalog remembers it. */
export interface CatalogTool {
  readonly id: ToolId;
  readonly server: ServerName;
  readonly definition: ToolDefinition;
  /** Hash of what an agent can be steered by: name, texts, schemas, annotations. */
  readonly hash: string;
  readonly status: ToolStatus;
  /** Why it is not active. */
  readonly reason?: string;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** What a server offers besides tools; kept so that lists can be answered before it is up. */
export interface ServerListing {
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions?: string;
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

export type ProtocolEra = 'legacy' | 'modern';

/** A server as the catalog remembers it. */
export interface CatalogServer {
  readonly name: ServerName;
  /** Hash of its configuration: a different command is a different server, whatever its name. */
  readonly configHash: string;
  readonly listing: ServerListing;
  /** Which protocol eras it was seen to speak, and when that was probed. */
  readonly eras: readonly ProtocolEra[];
  readonly probedAt: Date;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** One change of a tool definition, kept for the user to look at. */
export interface ToolChange {
  readonly tool: ToolId;
  readonly at: Date;
  readonly kind: 'added' | 'changed' | 'removed' | 'approved' | 'blocked';
  readonly oldHash?: string;
  readonly newHash?: string;
  /** Human-readable lines, `- old` / `+ new`. */
  readonly diff: readonly string[];
}

/** What the user, or the first list of its server, approved of a tool. */
export interface ToolPin {
  /** Hashes of definitions that were approved, newest first. None: it waits for its first approval. */
  readonly approved: readonly string[];
  /** Hash of the definition that was listed last. */
  readonly seen: string;
  /** The user blocked the tool: it waits for an approval, whatever its definition becomes. */
  readonly isBlocked?: true;
}

/** What is pinned of one server. */
export interface ServerPins {
  /** Of the entry the server had: with another entry it is another server. */
  readonly configHash: string;
  /** By the name of the tool. */
  readonly tools: ReadonlyMap<string, ToolPin>;
}

export function hashDefinition(definition: ToolDefinition): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const relevant = { name, title, description, inputSchema, outputSchema, annotations };
  const text = canonicalJson(JSON.parse(JSON.stringify(relevant)) as JsonObject);
  return createHash('sha256').update(text).digest('hex');
}
