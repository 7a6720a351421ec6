/**
 * What our own command line may ask of a running daemon: each method with its parameters and its
 * result, once. Both cross the control connection as JSON. Daemons and commands of other builds know
 * the same names and forms, so a form may grow but nothing in it changes its meaning.
 */
import type { CapabilityFile } from '../capabilities/index.js';
import type { ApprovalMode, GraphRebuilt, JsonObject, JsonValue } from '../core/index.js';
import type { ActivityDetails, ActivityFilter, ActivityPage } from './contract/activity.js';
import type {
  CapabilityChange,
  CapabilityDetails,
  CapabilityRow,
  ImportedCapabilities,
  VerifiedCapability,
} from './contract/capabilities.js';
import type { ImportAnswer, ImportMode } from './contract/experience.js';
import type { ExecutionExplanation, PlanExplanation } from './contract/explain.js';
import type {
  GraphLevel,
  GraphNodeDetails,
  GraphPath,
  GraphStats,
  GraphView,
} from './contract/graph.js';
import type { LearningMetrics } from './contract/learning.js';
import type { MetricsHistory, RankingMetrics } from './contract/metrics.js';
import type { ToolPolicyRow } from './contract/policies.js';
import type { WaitingQuestion } from './contract/questions.js';
import type { ReliabilityMetrics } from './contract/reliability.js';
import type {
  ReachedTools,
  KeptResultAnswer,
  RunDetails,
  RunEventPage,
  RunInfo,
  RunStarted,
  RunWatchAnswer,
} from './contract/runs.js';
import type { SearchAnswer, SearchStatus } from './contract/search.js';
import type {
  SignInBegun,
  SignInList,
  SignInProgress,
  SignOutAnswer,
} from './contract/sign-ins.js';
import type { ForgottenRows, ForgetTarget, SpeculationMetrics } from './contract/speculation.js';
import type {
  DaemonMemory,
  DaemonStatus,
  OpenDashboard,
  OpenHttp,
  StopAnswer,
} from './contract/status.js';
import type { TokenRequest, TokenRow } from './contract/tokens.js';
import type { DaemonTools, KnownTool, ShownChange } from './contract/tools.js';

export interface ControlContract {
  status: Method<Nothing, DaemonStatus>;
  /** With `pauses`, how long the loop was held since the last time this was asked. */
  memory: Method<{ pauses?: boolean }, DaemonMemory>;
  /** Ends the daemon; with `ifUnused` only if no client is connected. */
  stop: Method<{ ifUnused?: boolean }, StopAnswer>;
  'http-open': Method<{ port?: number }, OpenHttp>;
  'http-close': Method<Nothing, Nothing>;
  /** Serves the dashboard on loopback and makes an address that signs one browser in. */
  'ui-open': Method<Nothing, OpenDashboard>;

  /** Begins a sign-in to a remote server, or gives the one that waits for its person. */
  'sign-in-begin': Method<{ server: string; device?: boolean }, SignInBegun>;
  /** Waits up to `waitMs` for the person. */
  'sign-in-wait': Method<{ id: string; waitMs?: number }, SignInProgress>;
  /** Takes the address that the browser was sent back to, where it could not return by itself. */
  'sign-in-paste': Method<{ id: string; redirected: string }, SignInProgress>;
  'sign-out': Method<{ server: string }, SignOutAnswer>;
  'sign-ins': Method<Nothing, SignInList>;

  /** Makes a token for our HTTP endpoint. The answer is the only place where it is shown. */
  'token-create': Method<TokenRequest, { readonly token: string }>;
  tokens: Method<Nothing, { readonly tokens: readonly TokenRow[] }>;
  'token-revoke': Method<{ name: string }, { readonly wasThere: boolean }>;

  tools: Method<Nothing, DaemonTools>;
  /** Servers that are still to show their lists, after waiting a moment for them. */
  lists: Method<{ waitMs?: number }, { readonly awaited: readonly string[] }>;
  /** Starts servers and has them show their lists; all without `server`. */
  refresh: Method<{ server?: string }, DaemonStatus>;
  approve: Method<{ tool: string }, KnownTool>;
  /** Takes the approval of a tool's definition back: nothing calls it until it is approved. */
  block: Method<{ tool: string }, KnownTool>;
  /** What each tool's call meets: allowed, asked about, denied. */
  'tool-policies': Method<Nothing, { readonly policies: readonly ToolPolicyRow[] }>;
  changes: Method<{ limit?: number }, { readonly changes: readonly ShownChange[] }>;

  /** With `patient`, `waitFor` is the answer while the model loads or tools are being indexed. */
  search: Method<
    { intent: string; server?: string; limit?: number; patient?: boolean },
    SearchAnswer | { readonly waitFor: SearchStatus }
  >;
  index: Method<{ start?: boolean; rebuild?: boolean }, SearchStatus>;
  import: Method<{ rows: readonly JsonValue[]; mode: ImportMode }, ImportAnswer>;
  learn: Method<Nothing, SearchStatus>;
  explain: Method<
    { what: string },
    { readonly plan: PlanExplanation } | { readonly execution: ExecutionExplanation }
  >;
  'metrics-ranking': Method<{ last?: number }, RankingMetrics>;
  'metrics-reliability': Method<{ last?: number }, ReliabilityMetrics>;
  'metrics-speculation': Method<Nothing, SpeculationMetrics>;
  /** Whether runs become better as PML learns. */
  'metrics-learning': Method<Nothing, LearningMetrics>;
  /** Removes what PML remembers of predictions, from memory and from the store. */
  forget: Method<{ what: ForgetTarget }, ForgottenRows>;
  'metrics-history': Method<{ days?: number }, MetricsHistory>;

  /** The last calls through PML, newest first. */
  activity: Method<ActivityFilter, ActivityPage>;
  'activity-show': Method<{ id: string }, ActivityDetails>;
  /** Runs that wait for a decision, oldest first. */
  questions: Method<Nothing, { readonly questions: readonly WaitingQuestion[] }>;

  /** Besides `userApprove`, what `pml_execute_workflow` takes. */
  'run-start': Method<JsonObject & { userApprove?: ApprovalMode }, RunStarted>;
  /** What `pml_execute_code` takes, besides `userApprove`: the run, or what the code can reach. */
  'code-start': Method<
    JsonObject & { userApprove?: ApprovalMode },
    { readonly run: string } | { readonly effects: ReachedTools }
  >;
  runs: Method<{ limit?: number }, { readonly runs: readonly RunInfo[] }>;
  'run-show': Method<{ run: string; full?: boolean }, RunDetails>;
  /** Waits up to `waitMs` for an event after the first `after`. */
  'run-watch': Method<{ run: string; after?: number; waitMs?: number }, RunWatchAnswer>;
  /** The events of a run from the first after `after`, at most `limit`. */
  'run-events': Method<{ run: string; after?: number; limit?: number }, RunEventPage>;
  /** What `pml_continue` takes. */
  'run-decide': Method<JsonObject & { run: string }, RunInfo>;

  /** A long result that is kept under a handle, or the part of it at `path`. */
  result: Method<{ handle: string; path?: string }, KeptResultAnswer>;

  capabilities: Method<Nothing, { readonly capabilities: readonly CapabilityRow[] }>;
  'capability-show': Method<{ name: string }, CapabilityDetails>;
  'capability-change': Method<CapabilityChange, CapabilityDetails | { readonly deleted: string }>;
  /** One with all it calls; all without `name`. */
  'capabilities-export': Method<{ name?: string }, CapabilityFile>;
  'capabilities-skills': Method<
    { name?: string },
    { readonly skills: readonly { readonly name: string; readonly text: string }[] }
  >;
  'capabilities-verify': Method<
    { name?: string; all?: boolean; args?: JsonObject },
    { readonly verified: readonly VerifiedCapability[] }
  >;
  'capabilities-import': Method<{ file: JsonValue }, ImportedCapabilities>;

  'graph-stats': Method<Nothing, GraphStats>;
  'graph-show': Method<{ id: string }, GraphNodeDetails>;
  /** Nodes and edges for display; with `focus` only what is near that node. */
  'graph-view': Method<
    { limit?: number; focus?: string; depth?: number; level?: GraphLevel },
    GraphView
  >;
  'graph-path': Method<{ from: string; to: string }, GraphPath>;
  'graph-rebuild': Method<{ force?: boolean }, GraphRebuilt>;
  /** How many executions the graph was made from so far, while it is being made. */
  'graph-progress': Method<Nothing, { readonly rebuilding?: number }>;
}

interface Method<Params, Result> {
  readonly params: Readonly<Params>;
  readonly result: Result;
}

type Nothing = Readonly<Record<never, never>>;

export type ControlMethod = keyof ControlContract;
export type ControlParams<M extends ControlMethod> = ControlContract[M]['params'];
export type ControlResult<M extends ControlMethod> = ControlContract[M]['result'];
