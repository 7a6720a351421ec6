export type {
  CapabilityChange,
  CapabilityDetails,
  CapabilityRow,
  ImportedCapabilities,
  InvocationRow,
  LockedTool,
  VerifiedCapability,
  VersionRow,
} from './contract/capabilities.js';
export type { SignOutAnswer } from './contract/sign-ins.js';
export type { ActivityDetails, ActivityPage, ActivityRow } from './contract/activity.js';
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
export type { LearningMetrics } from './contract/learning.js';
export type {
  ClaimedAndRight,
  GateRow,
  LearnedPart,
  ReliabilityMetrics,
} from './contract/reliability.js';
export type {
  ReachedTools,
  KeptResultAnswer,
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
export type {
  ForgetTarget,
  ForgottenRows,
  SpeculationMetrics,
  ThresholdMetrics,
} from './contract/speculation.js';
export type {
  DaemonStatus,
  FailingOperation,
  OpenDashboard,
  OpenHttp,
  RejectedConfig,
  SandboxProtections,
  ServerRow,
  StoreStatus,
} from './contract/status.js';
export type { DaemonTools, ListedTool, MissingTools, ShownChange } from './contract/tools.js';
export type { ControlMethod, ControlParams, ControlResult } from './contract.js';
export { activityRow, listActivity } from './activity/activity.js';
export type {
  ClientRow,
  DashboardChange,
  DashboardMessage,
  DashboardSnapshot,
  MetricsTick,
} from './contract/events.js';
export type { WaitingQuestion } from './contract/questions.js';
export { createControl } from './control.js';
export { describeEvent, describeRun } from './runs/describe.js';
export { waitingQuestions } from './runs/questions.js';
export { listRuns } from './runs/runs.js';
export { clientRows } from './status/clients.js';
export { serverStatusRow, showStatus } from './status/status.js';
export { metricsTick } from './status/tick.js';
export type { ControlledDaemon, FailedOperation } from './controlled-daemon.js';
export { maskControl } from './mask.js';
