export { type Access, type AccessOf, isNamed, maySee, NO_ACCESS, ownerMark } from './access.js';
export { isAbsent, messageOf, PmlError, type PmlErrorCode, unreachable } from './errors.js';
export {
  declares,
  extensionsIn,
  SKILLS_EXTENSION,
  TASKS_EXTENSION,
  UI_EXTENSION,
  withExtension,
} from './extensions.js';
export { escapeHidden, hasHidden, stripHidden } from './hidden-characters.js';
export {
  BUILT_IN_SERVER,
  CAPABILITY_SERVER,
  isCapability,
  isServerName,
  parseToolId,
  type RunId,
  runId,
  type ServerName,
  serverName,
  type TaskId,
  taskId,
  type ToolId,
  toolId,
} from './ids.js';
export { inParts } from './in-parts.js';
export { seededRandom } from './seeded-random.js';
export {
  asJsonObject,
  asText,
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_JSON_LEVELS,
  nestsDeeper,
} from './json.js';
export { type LogFields, type Logger, type LogLevel, silentLogger } from './logger.js';
export { closestWord, editDistance } from './names/edit-distance.js';
export { matchGlobs } from './names/glob.js';
export { nameParts, splitCamelCase } from './names/name-parts.js';
export { nearestNames } from './names/nearest-names.js';
export { MOST_NESTING, nestsTooDeep, parseJson } from './parse-json.js';
export { pause } from './pause.js';
export type {
  CallOptions,
  CatalogSnapshot,
  CatalogStore,
  CatalogUpdate,
  KeptCatalog,
  PinFile,
  Progress,
  ToolCaller,
  ToolResult,
} from './ports.js';
export { isExchange, principal, type Principal, THE_USER } from './principal.js';
export { resultFault } from './result-fault.js';
export { IN_DOUBT_CODES, tellDoubt, WAS_REFUSED, wasRefused } from './run/in-doubt.js';
export type { Plan, Task } from './run/plan.js';
export type { RemoteTask } from './run/remote-task.js';
export {
  type Confirmation,
  type Guess,
  type Guesses,
  type GuessSource,
  isCertain,
  type Origin,
  type ArgumentSource,
} from './run/provenance.js';
export type {
  ApprovalMode,
  Decider,
  RunCommand,
  RunOutcome,
  RunScript,
  ScriptEnd,
  TaskError,
  TracedOperation,
} from './run/run-command.js';
export type { RunEvent } from './run/run-event.js';
export type { PrunePolicy, RunAppend, RunDamage, RunLog } from './run/run-log.js';
export type {
  RunDecision,
  RunMessage,
  RunState,
  ScriptRecord,
  TaskState,
  TaskStatus,
} from './run/run-state.js';
export type {
  Sandbox,
  SandboxCall,
  SandboxEnd,
  SandboxError,
  SandboxHost,
  SandboxLimit,
  SandboxLimits,
  SandboxLine,
  SandboxOperation,
  SandboxReply,
  SandboxRunOptions,
  SandboxScript,
  SourceSpan,
} from './sandbox.js';
export { keptError } from './secrets/kept-error.js';
export { findSecretForms, maskForms, type TextRange } from './secrets/secret-forms.js';
export { mentionsSecret, namesSecret } from './secrets/secret-names.js';
export {
  type Mask,
  maskJson,
  maskKnown,
  maskSecrets,
  secretValues,
  specSecrets,
} from './secrets/secrets.js';
export type { RemoteSpec, ServerSpec, StdioSpec } from './server-spec.js';
export type {
  BeginSignIn,
  OAuthSettings,
  PendingSignIn,
  ServerTokens,
  SharedSignIns,
  TokenRefusal,
} from './sign-in.js';
export {
  maySpeculate,
  type SpeculationMode,
  type SpeculationSettings,
} from './speculation-settings.js';
export {
  type Capability,
  capabilityId,
  type CapabilityNews,
  type CapabilityStatus,
  type CapabilityStore,
  type CapabilityUpdate,
  type CapabilityUse,
  type CapabilityVersion,
  type Invocation,
  type LockedDefinition,
  type SharedCapabilityStore,
  type UseStatistics,
} from './stores/capability.js';
export type {
  Embedder,
  EmbeddingSpace,
  EmbeddingStore,
  EmbedOptions,
  StoredSpace,
} from './stores/embedding.js';
export type {
  Episode,
  EpisodeOutcome,
  EpisodeStore,
  Rung,
  StoredThreshold,
} from './stores/episode.js';
export type {
  Algorithm,
  AlgorithmTrace,
  DailyOutcomes,
  DecisionOutcome,
  DecisionVerdict,
  EarlierCall,
  ErrorType,
  ExecutionTrace,
  ObservedOutput,
  OutputStore,
  PastBinding,
  PastCall,
  PastDecision,
  PastPart,
  PlanMatch,
  RankingModel,
  StoredVectors,
  RankingStore,
  ScoredCandidate,
  SuggestionMode,
} from './stores/experience.js';
export { evidenceWeight, originOf } from './stores/evidence.js';
export type {
  ExperienceStore,
  LoadTraces,
  GraphOf,
  GraphRebuilt,
  GraphStore,
  RebuildOptions,
} from './stores/experience-store.js';
export type { EdgeCounts, EdgeType, GraphDelta, NodeCounts } from './stores/graph.js';
export type {
  FoundResult,
  KeptResult,
  PruneResults,
  ResultStore,
  StoredResult,
} from './stores/result-store.js';
export { estimateTokens } from './tokens.js';
export {
  type CatalogServer,
  type CatalogTool,
  hashDefinition,
  type ProtocolEra,
  type ServerListing,
  type ServerPins,
  type ToolAnnotations,
  type ToolChange,
  type ToolDefinition,
  type ToolPin,
  type ToolStatus,
} from './tool.js';
export { heldParameters, type ToolOverride, type ToolOverrides } from './tool-override.js';
export { visible } from './visible-text.js';
