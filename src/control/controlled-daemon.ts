import type { NamedTokens, RemoteSignIns } from '../auth/index.js';
import type { Catalog } from '../catalog/index.js';
import type { LoadedConfig } from '../config/load.js';
import type { Sessions } from '../gateway/index.js';
import type { LiveGraph } from '../graph/index.js';
import type { ServerPool } from '../servers/index.js';
import type { LearningLedger } from '../speculation/index.js';
import type { Store } from '../store/index.js';
import type { Workflows } from '../workflows/index.js';
import type {
  OpenDashboard,
  OpenHttp,
  RejectedConfig,
  SandboxProtections,
} from './contract/status.js';

/** What the command line may read and do. */
export interface ControlledDaemon {
  readonly version: string;
  readonly build: string;
  readonly config: LoadedConfig;
  readonly catalog: Catalog;
  readonly signIns: RemoteSignIns;
  /** Clients of our HTTP endpoint that have tokens of their own. */
  readonly httpClients: { readonly tokens: NamedTokens };
  /** Hides the secrets of the configuration. */
  mask(text: string): string;
  readonly workflows: Workflows;
  readonly speculation: { readonly ledger: LearningLedger };
  readonly sessions: Sessions;
  readonly graph: LiveGraph;
  readonly pool: ServerPool;
  readonly httpUrl: string | undefined;
  /** Serves HTTP without asking for a token. */
  readonly isHttpOpenToAll: boolean;
  /** Where the dashboard is served, if it is. */
  readonly dashboardAddress: string | undefined;
  readonly rejectedConfig: RejectedConfig | undefined;
  readonly storeHealth: { readonly failing: readonly FailedOperation[] };
  readonly clientCount: number;
  journalProblems(): Promise<readonly string[]>;
  /** What confines scripts on this machine. */
  sandboxProtections(): Promise<SandboxProtections>;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
  openHttp(port: number | undefined): Promise<OpenHttp>;
  closeHttp(): Promise<void>;
  openDashboard(): Promise<OpenDashboard>;
  /** Reopens the model and indexes with it; `forget` drops the stored vectors first. */
  reindex(options: { forget: boolean }): Promise<void>;
  stop(reason: string): void;
}

/** The last operation of the store that failed. */
export interface FailedOperation {
  /** As in `catalog.save`. */
  readonly what: string;
  readonly error: string;
  /** Of the last failure. */
  readonly at: Date;
  /** In a row. */
  readonly times: number;
}
