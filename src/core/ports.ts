import type { ServerName, ToolId } from './ids.js';
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
