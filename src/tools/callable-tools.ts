import { BUILT_IN_SERVER, parseToolId, type ToolId } from '../core/index.js';
import type { Gateway } from '../gateway/index.js';

/** Whether a plan may have it: it is there, and neither it nor anything it calls is denied. */
export function isCallable(gateway: Gateway, tool: ToolId): boolean {
  if (parseToolId(tool).server === BUILT_IN_SERVER || !gateway.index.get(tool)) return false;
  return gateway.policyOf(tool).denied === undefined;
}

/** Whether calling it changes nothing and nobody has to be asked. */
export function isSafe(gateway: Gateway, tool: ToolId): boolean {
  const { risk, ask } = gateway.policyOf(tool);
  return risk === 'read' && !ask;
}
