import type { ServerName, TaskId, ToolId } from './ids.js';
import type { JsonObject, JsonValue } from './json.js';
import type { RemoteTask } from './run/remote-task.js';
import type { CatalogServer, CatalogTool, ToolChange } from './tool.js';

export interface CatalogSnapshot {
  readonly servers: readonly CatalogServer[];
  readonly tools: readonly CatalogTool[];
}

/** What one refresh of one server changes. Written in one transaction or not at all. */
export interface CatalogUpdate {
  readonly server: CatalogServer;
  /** Every tool of the server after the refresh, including those that are gone. */
  readonly tools: readonly CatalogTool[];
  readonly changes: readonly ToolChange[];
}

/** The durable copy of the catalog. Rejects with a `PmlError`. */
export interface CatalogStore {
  load(): Promise<CatalogSnapshot>;
  save(update: CatalogUpdate): Promise<void>;
  /** Forgets a server that is no longer configured, with its tools. The change history stays. */
  removeServer(server: ServerName): Promise<void>;
  /** Newest first. */
  changes(options: { tool?: ToolId; limit: number }): Promise<readonly ToolChange[]>;
}

/** A copy of the catalog that is read before the store is open. */
export interface KeptCatalog {
  /** Nothing if there is none that can be relied on: then the store has to be read. */
  load(): Promise<CatalogSnapshot | undefined>;
  /** Never rejects: the store has it as well. */
  save(row: Pick<CatalogUpdate, 'server' | 'tools'>): Promise<void>;
  remove(server: ServerName): Promise<void>;
}

/** One JSON value on disk that outlives the store. A value that cannot be relied on rejects. */
export interface PinFile {
  readonly path: string;
  /** Nothing if there is none yet. */
  read(): Promise<JsonValue | undefined>;
  write(value: JsonValue): Promise<void>;
}

/** A tool's answer exactly as its server gave it, unknown fields included. */
export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonValue;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
  readonly [extra: string]: unknown;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** The call has left: from here on it may be carried out, whatever becomes of us. */
  readonly onSent?: () => void;
  /** The task the call is made for, where there is one. */
  readonly task?: TaskId;
  /** The server answered with a task of its own, whose result PML waits for. */
  readonly onRemote?: (remote: RemoteTask) => void;
  /** An earlier process made the call: wait for this task instead of calling again. */
  readonly remote?: RemoteTask;
}

/**
 * Calls one tool on its server. A tool that reports failure resolves with `isError`;
 * a call that could not be made or answered rejects with a `PmlError`.
 */
export interface ToolCaller {
  call(tool: ToolId, args: JsonObject, options: CallOptions): Promise<ToolResult>;
}
