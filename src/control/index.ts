export type {
  CapabilityChange,
  CapabilityDetails,
  CapabilityRow,
  ImportedCapabilities,
  LockedTool,
  VerifiedCapability,
  VersionRow,
} from './contract/capabilities.js';
export type { ImportAnswer, ImportMode } from './contract/experience.js';
export type { ExecutionExplanation, LeadingDecision, PlanExplanation } from './contract/explain.js';
export type {
  GraphNodeDetails,
  GraphPath,
  GraphStats,
  PathStep,
  ShownEdge,
} from './contract/graph.js';
export type {
  AlgorithmQuality,
  PlanQuality,
  RankingMetrics,
  RankingQuality,
} from './contract/metrics.js';
export type {
  ClaimedAndRight,
  GateRow,
  LearnedPart,
  ReliabilityMetrics,
} from './contract/reliability.js';
export type {
  PlanAnswer,
  RunDetails,
  RunEventInfo,
  RunInfo,
  RunStarted,
  RunTaskInfo,
  RunWatchAnswer,
  ScriptInfo,
} from './contract/runs.js';
export type { FoundTool, RankingStatus, SearchAnswer, SearchStatus } from './contract/search.js';
export {
  FORGET_TARGETS,
  type ForgetTarget,
  type ForgottenRows,
  type SpeculationMetrics,
  type ThresholdMetrics,
} from './contract/speculation.js';
export type {
  DaemonStatus,
  FailingOperation,
  OpenHttp,
  RejectedConfig,
  SandboxProtections,
  ServerRow,
  StoreStatus,
} from './contract/status.js';
export type { DaemonTools, ListedTool, MissingTools, ShownChange } from './contract/tools.js';
export type { ControlMethod, ControlParams, ControlResult } from './contract.js';
export { createControl } from './control.js';
export type { ControlledDaemon, FailedOperation } from './controlled-daemon.js';
export { maskControl } from './mask.js';
