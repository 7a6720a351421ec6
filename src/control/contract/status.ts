import type { SpeculationMode } from '../../core/index.js';
import type { LoopPauses } from '../../process/index.js';
import type { AheadActivity, WarmCounts } from '../../speculation/index.js';
import type { StoreMemory } from '../../store/index.js';
import type { ContextBudget } from '../../tool-text/index.js';
import type { LearnedPart } from './reliability.js';
import type { SearchStatus } from './search.js';
import type { SpeculationSummary } from './speculation.js';
import type { ToolProblem } from './tools.js';

/** What a daemon reports about itself. Crosses the control connection as JSON: dates are texts. */
export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  /** Missing from daemons of old builds. */
  readonly build?: string;
  readonly uptimeMs: number;
  readonly rssBytes: number;
  readonly config: string;
  readonly dataDir: string;
  /** The file changed and is invalid, so the daemon keeps the previous configuration. */
  readonly rejectedConfig?: RejectedConfig;
  readonly exposure: 'meta' | 'proxy' | 'hybrid';
  /** Tools with an override, and what is wrong with overrides; missing from daemons of old builds. */
  readonly overrides?: {
    readonly tools: readonly string[];
    readonly problems: readonly ToolProblem[];
  };
  readonly clients: readonly {
    id: string;
    name: string;
    budget: ContextBudget;
    /** Name of its profile; missing if it has the whole configuration. */
    profile?: string;
  }[];
  /** Profiles of the configuration and their servers; missing from daemons of old builds. */
  readonly profiles?: readonly ProfileRow[];
  readonly http?: string;
  /** Where the dashboard is served, without a token. */
  readonly dashboard?: string;
  /** HTTP is served and asks for no token. */
  readonly isHttpOpenToAll?: boolean;
  readonly store: StoreStatus;
  /** The problem of the journal of runs; missing if there is none. */
  readonly journal?: { readonly problems: readonly string[] };
  readonly search: SearchStatus;
  /** Which learned parts are in use; daemons of old builds do not report it. */
  readonly learned?: readonly Omit<LearnedPart, 'gates'>[];
  /** PML learns in the background now; missing from daemons of old builds. */
  readonly isLearning?: boolean;
  /** What PML did ahead of requests; daemons of old builds do not report it. */
  readonly speculation?: SpeculationStatus;
  readonly sandbox: SandboxProtections;
  readonly servers: readonly ServerRow[];
  /** Servers that cannot be used because of the environment, and why. */
  readonly broken: Readonly<Record<string, string>>;
  readonly disabled: readonly string[];
}

export interface ProfileRow {
  readonly name: string;
  readonly servers: readonly string[];
  /** Of clients that name none. */
  readonly isDefault: boolean;
}

/** What PML did before a client asked for it, since the daemon started. */
export interface SpeculationStatus extends SpeculationSummary {
  readonly mode: SpeculationMode;
  /** Servers that were started ahead of calls. */
  readonly warm: WarmCounts;
  /** Missing from daemons that make no calls by themselves. */
  readonly ahead?: AheadStatus;
}

/** What PML called by itself. */
interface AheadStatus extends Omit<AheadActivity, 'recent'> {
  /** Newest last. */
  readonly recent: readonly {
    readonly id: string;
    /** ISO 8601. */
    readonly at: string;
    readonly tool: string;
    readonly session: string;
    /** Missing while the call is under way or its result is kept. */
    readonly fate?: string;
    readonly ms?: number;
  }[];
}

/** What confines scripts, besides an engine without files and network. */
export interface SandboxProtections {
  readonly nodePermissions: boolean;
  /** Whether those of Node cover the network. */
  readonly nodeNetwork: boolean;
  readonly bubblewrap: boolean;
  /** Why there is no bubblewrap. */
  readonly withoutBubblewrap?: string;
  /** Whether PML watches memory and CPU time from outside the process. */
  readonly isWatched: boolean;
}

export type StoreStatus =
  | {
      readonly engine: string;
      readonly version: string;
      readonly schemaVersion: number;
      readonly sizeBytes?: number;
      /** The last operation that failed, such as saving the catalog. */
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
  readonly state: 'stopped' | 'starting' | 'running' | 'failing' | 'needs_sign_in';
  readonly pids: readonly number[];
  readonly runningCalls: number;
  readonly lastError?: string;
  readonly retryInMs: number;
  readonly tools: number;
  /** Whether its lists are those of its present configuration. */
  readonly listed: boolean;
  /** Of the last calls that the daemon remembers; missing if there is none, and from old builds. */
  readonly use?: ServerUse;
}

/** How the calls of one server went. */
export interface ServerUse {
  readonly calls: number;
  readonly failures: number;
  readonly medianMs: number;
  /** ISO 8601. */
  readonly lastAt: string;
}

/** What the daemon holds in memory: bytes by owner, and the size of everything that is bounded. */
export interface DaemonMemory {
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly heapReservedBytes: number;
  readonly externalBytes: number;
  readonly bufferBytes: number;
  /** Missing where the store uses no memory of the process. */
  readonly store?: StoreMemory;
  readonly held: Readonly<Record<string, number>>;
  /** Where it was asked for. */
  readonly pauses?: LoopPauses;
}

/** How HTTP is served, and what clients need to connect. */
export interface OpenHttp {
  readonly url: string;
  readonly access: 'file' | 'configured' | 'none';
  /** Where the token is. */
  readonly tokenFile?: string;
  /** Whether PML has just created it. */
  readonly isNewToken?: boolean;
}

/** Where a browser signs in. */
export interface OpenDashboard {
  /** With a token that works once. */
  readonly url: string;
  /** The same without a token, for a browser that has signed in. */
  readonly address: string;
  /** Until when the token works; ISO 8601. */
  readonly expiresAt: string;
}

export type StopAnswer =
  | { readonly stopping: true; readonly pid: number }
  /** Clients use it, and it was to stop only if none does. */
  | { readonly stopping: false; readonly clients: number };
