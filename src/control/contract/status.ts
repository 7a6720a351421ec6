import type { CatalogTool, JsonObject } from '../../core/index.js';
import type { ContextBudget } from '../../tool-text/index.js';

/** What a daemon tells about itself. Crosses the control connection as JSON, so dates are texts. */
export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  /** Missing from daemons of old builds. */
  readonly build?: string;
  readonly uptimeMs: number;
  readonly rssBytes: number;
  readonly config: string;
  readonly dataDir: string;
  /** The file changed and cannot be used, so the daemon works with what it said before. */
  readonly rejectedConfig?: RejectedConfig;
  readonly exposure: 'meta' | 'proxy' | 'hybrid';
  readonly clients: readonly { id: string; name: string; budget: ContextBudget }[];
  readonly http?: string;
  /** HTTP is served and asks for no token. */
  readonly isHttpOpenToAll?: boolean;
  readonly store: StoreStatus;
  /** What is wrong with the journal of runs; missing if nothing is. */
  readonly journal?: { readonly problems: readonly string[] };
  readonly search: SearchStatus;
  readonly sandbox: SandboxProtections;
  readonly servers: readonly ServerRow[];
  /** Servers that cannot be used because of the environment, and why. */
  readonly broken: Readonly<Record<string, string>>;
  readonly disabled: readonly string[];
}

/** What holds scripts, besides an engine that has neither files nor network. */
export interface SandboxProtections {
  readonly nodePermissions: boolean;
  /** Whether those of Node cover the network. */
  readonly nodeNetwork: boolean;
  readonly bubblewrap: boolean;
  /** Why there is no bubblewrap. */
  readonly withoutBubblewrap?: string;
  /** Whether memory and computing time are looked at from outside. */
  readonly isWatched: boolean;
}

export type StoreStatus =
  | {
      readonly engine: string;
      readonly version: string;
      readonly schemaVersion: number;
      readonly sizeBytes?: number;
      /** What it was last asked in vain, as to save the catalog. */
      readonly failing?: readonly FailingOperation[];
    }
  | { readonly error: string };

export interface FailingOperation {
  /** As in `catalog.save`. */
  readonly what: string;
  readonly error: string;
  /** ISO 8601, of the last failure. */
  readonly at: string;
  /** In a row. */
  readonly times: number;
}

export interface RejectedConfig {
  readonly code: string;
  readonly message: string;
  /** ISO 8601. */
  readonly at: string;
}

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
  /** Texts with characters nobody sees, which PML removed. */
  readonly hidden: readonly { readonly server: string; readonly place: string }[];
  /** Why the pins of definitions cannot be relied on. */
  readonly pinsProblem?: string;
  /** Servers whose tools are not known, and why. */
  readonly missing: readonly MissingTools[];
}

export interface MissingTools {
  readonly server: string;
  readonly reason: string;
}

export type ListedTool = CatalogTool & { readonly visible: boolean };

/** How tools are found: the model, what it has indexed, what is remembered, and how hits are weighed. */
export interface SearchStatus {
  /** As configured. */
  readonly model: string;
  /** The model and its form; missing while there is none. */
  readonly space?: string;
  readonly state: 'none' | 'idle' | 'loading' | 'ready' | 'failed';
  readonly runtime?: string;
  readonly loadMs?: number;
  readonly tools: number;
  /** Tools that can be found by meaning. */
  readonly indexed: number;
  /** Tools and past requests that are still to be embedded. */
  readonly waiting: number;
  /** Texts embedded since the start. */
  readonly made: { readonly texts: number; readonly ms: number };
  /** Past requests with the tools that served them. */
  readonly remembered: number;
  readonly ranking: RankingStatus;
  readonly error?: string;
  readonly fix?: string;
}

export interface RankingStatus {
  readonly kind: string;
  /** What it was chosen by; empty before there was anything to measure. */
  readonly metric: object;
}

export interface SearchAnswer {
  readonly intent: string;
  /** False: words alone decided. */
  readonly byMeaning: boolean;
  /** Even the best is more likely wrong than right. */
  readonly isWeak: boolean;
  readonly search: SearchStatus;
  /** Servers whose tools are not known yet. */
  readonly unlisted: readonly string[];
  /** Best first. */
  readonly hits: readonly FoundTool[];
}

export interface FoundTool {
  readonly tool: string;
  readonly server: string;
  /** Probability that it is what was wanted. */
  readonly score: number;
  readonly description: string;
  /** Words of the intent, and where the tool has them. */
  readonly words: readonly { readonly word: string; readonly field: string }[];
  readonly reasons: readonly string[];
  /** Strongest first. */
  readonly signals: readonly SignalShare[];
}

export interface SignalShare {
  readonly signal: string;
  readonly value: number;
  readonly weight: number;
  /** What it added to the score. */
  readonly share: number;
}

export interface ImportAnswer {
  /** By the place of the row, from 0. With any of them nothing was imported. */
  readonly problems: readonly { readonly row: number; readonly problem: string }[];
  readonly added: number;
  readonly known: number;
  /** Rows without a call of a tool that could be named. */
  readonly skipped: number;
  /** Kept although no server has them now. */
  readonly keptTools: readonly string[];
  /** Left out. */
  readonly unknownTools: readonly string[];
  /** False: remembered until the daemon ends, because there is no store. */
  readonly isStored: boolean;
}
