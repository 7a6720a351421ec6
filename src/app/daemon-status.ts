import type { CatalogTool, JsonObject } from '../core/index.js';
import type { ContextBudget } from '../search/index.js';

/** What a daemon tells about itself. Crosses the control connection as JSON, so dates are texts. */
export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly uptimeMs: number;
  readonly rssBytes: number;
  readonly config: string;
  readonly dataDir: string;
  readonly exposure: 'meta' | 'proxy' | 'hybrid';
  readonly clients: readonly { id: string; name: string; budget: ContextBudget }[];
  readonly http?: string;
  readonly store: StoreStatus;
  readonly servers: readonly ServerRow[];
  /** Servers that cannot be used because of the environment, and why. */
  readonly broken: Readonly<Record<string, string>>;
  readonly disabled: readonly string[];
}

export type StoreStatus =
  | {
      readonly engine: string;
      readonly version: string;
      readonly schemaVersion: number;
      readonly sizeBytes?: number;
    }
  | { readonly error: string };

export interface ServerRow {
  readonly name: string;
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly state: 'stopped' | 'starting' | 'running' | 'failing';
  readonly pids: readonly number[];
  readonly runningCalls: number;
  readonly lastError?: string;
  readonly retryInMs: number;
  readonly tools: number;
  /** Whether its lists are those of its present configuration. */
  readonly listed: boolean;
}

/** The whole catalog with what clients see of it. */
export interface DaemonTools {
  readonly exposed: readonly JsonObject[];
  readonly instructions: string;
  readonly context: { readonly windowTokens: number; readonly share: number };
  readonly tools: readonly ListedTool[];
}

export type ListedTool = CatalogTool & { readonly visible: boolean };
