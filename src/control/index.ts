export { type ControlledDaemon, createControl, type OpenHttp } from './control.js';
export type {
  CapabilityDetails,
  CapabilityRow,
  ImportedCapabilities,
  LockedTool,
  VerifiedCapability,
  VersionRow,
} from './control-capabilities.js';
export type { ExecutionExplanation, LeadingDecision, PlanExplanation } from './control-explain.js';
export type {
  GraphNodeDetails,
  GraphPath,
  GraphStats,
  PathStep,
  ShownEdge,
} from './control-graph.js';
export type {
  AlgorithmQuality,
  PlanQuality,
  RankingMetrics,
  RankingQuality,
} from './control-metrics-ranking.js';
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
} from './daemon-status.js';
export { maskControl } from './mask-control.js';
export type {
  RunDetails,
  RunEventInfo,
  RunInfo,
  RunTaskInfo,
  RunWatchAnswer,
  ScriptInfo,
} from './run-status.js';
