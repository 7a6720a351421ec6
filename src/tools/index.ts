export { isAppTool } from './apps/tool-ui.js';
export { safeResult } from './calls/as-tool-result.js';
export { isCallable, isSafe } from './callable-tools.js';
export { capabilityEffects, type CapableTools, isCapabilityWithin } from './capability-effects.js';
export type {
  CallWatch,
  HowCalled,
  ReadyResult,
  ToolRequest,
  WatchedCall,
} from './calls/call-watch.js';
export { assertCapability, capabilityTool } from './capability-tools.js';
export { explainMissing } from './explain-missing.js';
export { exposedName } from './exposed-names.js';
export { refuseHeld, withoutFixedOf } from './user-rules/fixed-arguments.js';
export { CONTINUE_TOOL, META_TOOL_NAMES, metaTools } from './meta-tools.js';
export { passRequest } from './calls/pass-request.js';
export { type RecordedCall, recordActivity } from './calls/record-activity.js';
export { recordCall } from './calls/record-call.js';
export type { CallContext, CallOrigin, RequestContext } from './request-context.js';
export { forgiveInput, withoutFence } from './forgive-input.js';
export { MOST_INTENT_CHARACTERS, searchTools, toolFilter } from './search-tools.js';
export { type GatewaySettings, type Profile, serverCapabilities, serverInfo } from './settings.js';
export { exposedTask, parseExposedTask } from './tasks/exposed-task.js';
export { isTaskHandle } from './tasks/task-wire.js';
export { ToolDirectory, type ToolDirectoryParts } from './tool-directory.js';
export { OWNED_URI, View } from './view.js';
