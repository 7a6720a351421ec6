export type {
  CapabilityDetails,
  CapabilityRow,
  ImportedCapabilities,
  LockedTool,
  VerifiedCapability,
  VersionRow,
} from './capabilities/show.js';
export type {
  RunDetails,
  RunEventInfo,
  RunInfo,
  RunTaskInfo,
  RunWatchAnswer,
  ScriptInfo,
} from './contract/runs.js';
export type {
  DaemonStatus,
  DaemonTools,
  FailingOperation,
  FoundTool,
  ImportAnswer,
  ListedTool,
  MissingTools,
  RankingStatus,
  RejectedConfig,
  SandboxProtections,
  SearchAnswer,
  SearchStatus,
  ServerRow,
  StoreStatus,
} from './contract/status.js';
export { type ControlledDaemon, createControl, type OpenHttp } from './control.js';
export type { ExecutionExplanation, LeadingDecision, PlanExplanation } from './explain/explain.js';
export type { GraphNodeDetails, GraphPath, GraphStats, PathStep, ShownEdge } from './graph/show.js';
export { maskControl } from './mask.js';
export type {
  AlgorithmQuality,
  PlanQuality,
  RankingMetrics,
  RankingQuality,
} from './metrics/ranking.js';
