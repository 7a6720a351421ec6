export { isCallable, isSafe } from './callable-tools.js';
export { capabilityEffects, type CapableTools } from './capability-effects.js';
export type {
  CallWatch,
  HowCalled,
  ReadyResult,
  ToolRequest,
  WatchedCall,
} from './call-watch.js';
export { assertCapability, capabilityTool } from './capability-tools.js';
export { explainMissing } from './explain-missing.js';
export { exposedName } from './exposed-names.js';
export { CONTINUE_TOOL, META_TOOL_NAMES, metaTools } from './meta-tools.js';
export { passRequest } from './pass-request.js';
export { recordCall } from './record-call.js';
export type { CallContext, RequestContext } from './request-context.js';
export { MOST_INTENT_CHARACTERS, searchTools, toolFilter } from './search-tools.js';
export { type GatewaySettings, serverCapabilities, serverInfo } from './settings.js';
export { ToolDirectory, type ToolDirectoryParts } from './tool-directory.js';
export { View } from './view.js';
